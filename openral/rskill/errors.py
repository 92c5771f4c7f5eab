"""What can be wrong with an rSkill: its manifest, its parameters, its fit on this machine."""

from __future__ import annotations

from openral.errors import ConfigError, InputError, OpenralError


class ManifestError(ConfigError):
    """A manifest cannot be used. The message names file, field, value and valid range."""


class ParamsError(InputError):
    """A goal's parameters do not fit the manifest's schema."""


class ROSConfigError(ConfigError):
    """A manifest lacks what the deployment needs to know, e.g. its GPU memory."""


class ROSGPUMemoryError(OpenralError):
    """A policy and its reward model do not fit into the GPU together."""
