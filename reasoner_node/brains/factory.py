"""Makes the brain that was chosen. There is no default: who starts the node says who decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openral.errors import ConfigError
from openral.llm.call_bounds import CallBounds
from openral.llm.client import LlmClient
from openral.llm.registry import Selection, load_registry, resolve
from reasoner_node.brain import Brain
from reasoner_node.brains.rules import RulesBrain

RULES = "rules"


@dataclass(frozen=True)
class Chosen:
    """A brain, the client that answers image questions, and what the log should say.

    Attributes:
        vision: The client, where its model reads images; None = no image question can be asked.
    """

    brain: Brain
    vision: LlmClient | None
    warnings: tuple[str, ...]


def make_brain(
    selection: Selection,
    registry_file: Path,
    environ: Mapping[str, str],
    *,
    bounds: CallBounds,
    max_tokens: int,
) -> Chosen:
    """The brain for a selection; a provider's SDK is imported only where one is chosen.

    Args:
        selection: `rules`, or a model with where it is served.
        registry_file: The models that are known.
        environ: Where the keys are looked up.
        bounds: Of one decision's call with its retries.
        max_tokens: Longest reply.

    Raises:
        ConfigError: Nothing was chosen, or the choice cannot be used; says what is valid.
    """
    if selection.model == RULES:
        return Chosen(RulesBrain(), None, ())
    registry = load_registry(registry_file)
    if not selection.model:
        raise ConfigError(
            f"parameter 'model' = '': valid is '{RULES}' (deterministic, no language model) or one "
            f"of {', '.join(registry.models)}; OPENRAL_REASONER_MODEL sets it too"
        )
    try:
        model = resolve(selection, registry, environ)
    except ConfigError as error:
        raise ConfigError(f"{error}; '{RULES}' needs neither model nor key") from None
    from openral.llm.factory import make_client
    from reasoner_node.brains.llm import LlmBrain

    client = make_client(model, bounds)
    return Chosen(LlmBrain(client, max_tokens), client if model.vision else None, model.warnings)
