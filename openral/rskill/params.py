"""The parameters that an rSkill's goal takes: declared in the manifest, checked on every goal.

Usage::

    label = ParamSpec(type="string", required=True, description="label")
    schema = ParamsSchema(fields={"object": label})
    schema.parse('{"object": "milk"}')   # {"object": "milk"}
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator

from openral.rskill.errors import ParamsError

MAX_PARAMS_CHARS = 4096


class ParamSpec(BaseModel):
    """One parameter.

    Attributes:
        type: JSON type; ``numbers`` is an array of `length` numbers.
        minimum, maximum: Bounds of a number, an integer or of each of the numbers.
        choices: Valid strings; empty = any.
        unit: Shown to who fills it in, e.g. ``m``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["string", "number", "integer", "boolean", "numbers"]
    description: str = Field(min_length=1, max_length=400)
    required: bool = False
    minimum: float | None = None
    maximum: float | None = None
    length: int | None = Field(None, ge=1, le=64)
    choices: tuple[str, ...] = ()
    unit: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> ParamSpec:
        if (self.type == "numbers") != (self.length is not None):
            raise ValueError("'length' belongs to type 'numbers', and only to it")
        if self.choices and self.type != "string":
            raise ValueError("'choices' belongs to type 'string' only")
        if self.type in ("string", "boolean") and (
            self.minimum is not None or self.maximum is not None
        ):
            raise ValueError(f"'minimum' and 'maximum' do not belong to type '{self.type}'")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError(f"minimum {self.minimum} exceeds maximum {self.maximum}")
        return self

    def annotation(self) -> Any:
        """The pydantic type that checks a value of this parameter."""
        if self.type == "string":
            if self.choices:
                return Literal[self.choices]
            return Annotated[str, Field(min_length=1, max_length=200)]
        if self.type == "boolean":
            return bool
        if self.type == "integer":
            return Annotated[int, Field(ge=self.minimum, le=self.maximum)]
        number = Annotated[float, Field(ge=self.minimum, le=self.maximum, allow_inf_nan=False)]
        if self.type == "number":
            return number
        return Annotated[list[number], Field(min_length=self.length, max_length=self.length)]


class ParamsSchema(BaseModel):
    """All parameters of one rSkill.

    Attributes:
        fields: Parameter by name.
        exactly_one_of: Names of which a goal gives exactly one; empty = no such rule.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fields: dict[str, ParamSpec] = Field(default_factory=dict, max_length=32)
    exactly_one_of: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _known_names(self) -> ParamsSchema:
        for name in self.exactly_one_of:
            if name not in self.fields:
                raise ValueError(
                    f"exactly_one_of names '{name}'; the parameters are {sorted(self.fields)}"
                )
            if self.fields[name].required:
                raise ValueError(f"'{name}' is in exactly_one_of and so cannot be required")
        return self

    def _model(self) -> type[BaseModel]:
        fields: dict[str, Any] = {
            name: (spec.annotation(), Field(description=spec.description))
            if spec.required
            else (spec.annotation() | None, Field(None, description=spec.description))
            for name, spec in self.fields.items()
        }
        config = ConfigDict(extra="forbid", strict=True)
        model: type[BaseModel] = create_model("Params", __config__=config, **fields)
        return model

    def json_schema(self) -> dict[str, Any]:
        """JSON Schema of the parameters, for a language model's tool."""
        return self._model().model_json_schema()

    def parse(self, text: str) -> dict[str, Any]:
        """Checks a goal's ``params_json`` and returns the parameters that it gives.

        Raises:
            ParamsError: Names the parameter, what it must be and what came.
        """
        if len(text) > MAX_PARAMS_CHARS:
            raise ParamsError(
                f"params_json of at most {MAX_PARAMS_CHARS} characters", str(len(text))
            )
        try:
            values = json.loads(text, object_pairs_hook=_unique) if text.strip() else {}
        except ParamsError:
            raise
        except (ValueError, RecursionError) as error:
            raise ParamsError(
                "params_json to be a JSON object", f"text that is not JSON ({error})"
            ) from None
        if not isinstance(values, dict):
            raise ParamsError("params_json to be a JSON object", type(values).__name__)
        try:
            given = self._model()(**values).model_dump(exclude_none=True)
        except ValidationError as error:
            problems = "; ".join(self._explain(problem) for problem in error.errors())
            raise ParamsError(f"parameters {self.summary()}", problems) from None
        if self.exactly_one_of:
            chosen = [name for name in self.exactly_one_of if name in given]
            if len(chosen) != 1:
                raise ParamsError(
                    f"exactly one of {', '.join(self.exactly_one_of)}",
                    ", ".join(chosen) or "none of them",
                )
        return given

    @staticmethod
    def _explain(problem: Any) -> str:
        # A name of the client's own making may be endless, or no text that a message can carry.
        name = repr(".".join(str(part) for part in problem["loc"])[:80])
        if problem["type"] == "missing":
            return f"no {name}"
        if problem["type"] == "extra_forbidden":
            return f"unknown {name}"
        return f"{name} = {str(problem.get('input'))[:80]!r} ({problem['msg']})"

    def summary(self) -> str:
        """The parameters in one line, for an error or a prompt."""
        parts = []
        for name, spec in self.fields.items():
            text = f"{name}: {spec.type}"
            if spec.length is not None:
                text += f"[{spec.length}]"
            if spec.choices:
                text += " of " + "/".join(spec.choices)
            if spec.minimum is not None or spec.maximum is not None:
                text += f" in [{spec.minimum}, {spec.maximum}]"
            if spec.unit:
                text += f" {spec.unit}"
            parts.append(text + ("" if spec.required else ", optional"))
        return "{" + "; ".join(parts) + "}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON keeps the last of two equal keys in silence; two objects to pick up are a mistake."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
        raise ParamsError("every parameter once", f"{twice[:80]!r} more than once")
    return found
