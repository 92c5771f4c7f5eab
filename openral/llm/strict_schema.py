"""A pydantic JSON schema in the form that a provider can enforce, and the way back.

Strict tool calling (OpenAI's structured outputs, Anthropic's strict tools) takes a subset of JSON
schema: every object closed, every property required, optional means nullable, no recursion, and
only some bounds. Bounds that a dialect cannot enforce are said in the description, so that the
model still reads them; the caller's pydantic model enforces them on the reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from openral.llm.client import LlmConfigError

Dialect = Literal["anthropic", "openai"]

# Sources: OpenAI, "Structured outputs", section "Supported schemas"; Anthropic, "Structured
# outputs", section "JSON Schema limitations".
_ENFORCED: dict[Dialect, frozenset[str]] = {
    "openai": frozenset(
        {
            "pattern",
            "format",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minItems",
            "maxItems",
        }
    ),
    "anthropic": frozenset({"format"}),
}
_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
)
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})

Node = Mapping[str, Any]


def strict_schema(schema: Node, dialect: Dialect) -> dict[str, Any]:
    """`schema` (an object's, as `model_json_schema()` gives it) in `dialect`'s strict form.

    References are put in place, `oneOf` and its discriminator become `anyOf`.

    Raises:
        LlmConfigError: The schema cannot be strict (free-form object, recursion, `Any`); the text
            names the property.
    """
    walker = _Walker(schema, dialect)
    strict = walker.walk(schema, "", ())
    if strict.get("type") != "object":
        raise LlmConfigError(
            f"a tool's arguments have to be one object, got {strict.get('type', 'a union')!r}; "
            "make one tool per variant"
        )
    return strict


class _Walker:
    def __init__(self, root: Node, dialect: Dialect) -> None:
        self._root = root
        self._dialect: Dialect = dialect

    def walk(self, node: Node, path: str, open_refs: tuple[str, ...]) -> dict[str, Any]:
        if "$ref" in node:
            ref = str(node["$ref"])
            if ref in open_refs:
                raise LlmConfigError(f"{_at(path)}: a recursive type ({ref}) cannot be strict")
            open_refs = (*open_refs, ref)
        node = _resolved(node, self._root)
        if "allOf" in node or "prefixItems" in node or "patternProperties" in node:
            raise LlmConfigError(
                f"{_at(path)}: allOf, tuples and pattern properties cannot be strict; "
                "use a list or a model with named fields"
            )
        out: dict[str, Any] = {}
        variants = _variants(node)
        if variants is not None:
            out["anyOf"] = [self.walk(v, path, open_refs) for v in variants]
        elif "enum" in node or "const" in node:
            # One spelling for both: not every server knows `const`.
            out["enum"] = list(node["enum"]) if "enum" in node else [node["const"]]
            if "type" in node:
                out["type"] = node["type"]
        elif node.get("type") == "object":
            out.update(self._object(node, path, open_refs))
        elif node.get("type") == "array":
            if not isinstance(node.get("items"), Mapping):
                raise LlmConfigError(f"{_at(path)}: an array has to say its items' type")
            out["type"] = "array"
            out["items"] = self.walk(node["items"], f"{path}[]", open_refs)
        elif node.get("type") in _SCALARS:
            out["type"] = node["type"]
        else:
            raise LlmConfigError(
                f"{_at(path)}: type {node.get('type', 'Any')!r} cannot be strict, valid are "
                f"object, array, {', '.join(sorted(_SCALARS))}, enum and union"
            )
        said = self._bounds(node, out)
        description = " ".join(p for p in (str(node.get("description", "")).strip(), said) if p)
        if description:
            out["description"] = description
        return out

    def _object(self, node: Node, path: str, open_refs: tuple[str, ...]) -> dict[str, Any]:
        if node.get("additionalProperties", False) is not False:
            raise LlmConfigError(
                f"{_at(path)}: a free-form object cannot be strict; name its fields, "
                "or take it as a string that holds JSON"
            )
        required = node.get("required", ())
        properties: dict[str, Any] = {}
        for name, child in node.get("properties", {}).items():
            where = f"{path}.{name}" if path else str(name)
            strict = self.walk(child, where, open_refs)
            if name not in required:
                strict = _optional(strict, child)
            properties[name] = strict
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def _bounds(self, node: Node, out: dict[str, Any]) -> str:
        """Move what the dialect enforces into `out`; return the rest as a sentence."""
        said = []
        for word in _BOUNDS:
            if word not in node:
                continue
            enforced = word in _ENFORCED[self._dialect]
            if enforced and (word != "format" or node[word] in _FORMATS):
                out[word] = node[word]
            else:
                said.append(f"{word} {node[word]}")
        return f"({', '.join(said)})" if said else ""


def union_count(strict: Node) -> int:
    """How many unions (nullable fields among them) a strict schema holds, at any depth."""
    children = [*strict.get("properties", {}).values(), *strict.get("anyOf", ())]
    if "items" in strict:
        children.append(strict["items"])
    return ("anyOf" in strict) + sum(union_count(child) for child in children)


def without_added_nulls(arguments: Mapping[str, Any], schema: Node) -> dict[str, Any]:
    """`arguments` of a strict call as the plain `schema` means them.

    A null for an optional property that does not itself accept null stands for "left out", so it
    is left out and the model's default holds. Everything else, wrong types too, stays as it is.
    """
    undone = _undo(arguments, schema, schema)
    assert isinstance(undone, dict)
    return undone


def _undo(value: Any, node: Node, root: Node) -> Any:
    node = _resolved(node, root)
    variants = _variants(node)
    if variants is not None:
        fitting = (v for v in (_resolved(v, root) for v in variants) if _fits(value, v, root))
        chosen = next(fitting, None)
        return value if chosen is None else _undo(value, chosen, root)
    if isinstance(value, list) and isinstance(node.get("items"), Mapping):
        return [_undo(item, node["items"], root) for item in value]
    if isinstance(value, Mapping):
        properties = node.get("properties", {})
        required = node.get("required", ())
        kept: dict[str, Any] = {}
        for name, child in value.items():
            schema = properties.get(name)
            if schema is None:
                kept[name] = child
            elif child is not None or name in required or _accepts_null(schema, root):
                kept[name] = _undo(child, schema, root)
        return kept
    return value


def _fits(value: Any, node: Node, root: Node) -> bool:
    """Whether a union's variant is the one that `value` was written for."""
    if isinstance(value, list):
        return node.get("type") == "array"
    if not isinstance(value, Mapping) or node.get("type") != "object":
        return False
    properties = node.get("properties", {})
    if not set(value) <= set(properties):
        return False
    for name, child in value.items():
        schema = _resolved(properties[name], root)
        allowed = schema.get("enum", [schema["const"]] if "const" in schema else None)
        if allowed is not None and child not in allowed:
            return False
    return True


def _resolved(node: Node, root: Node) -> Node:
    """`node` with its references followed and a single `allOf` merged; own keywords win."""
    while True:
        if "$ref" in node:
            target: Any = root
            for part in str(node["$ref"]).removeprefix("#/").split("/"):
                target = target.get(part) if isinstance(target, Mapping) else None
            if not isinstance(target, Mapping):
                raise LlmConfigError(f"the schema has no definition {node['$ref']!r}")
            node = {**target, **{k: v for k, v in node.items() if k != "$ref"}}
        elif len(node.get("allOf", ())) == 1:
            node = {**node["allOf"][0], **{k: v for k, v in node.items() if k != "allOf"}}
        else:
            return node


def _variants(node: Node) -> list[Node] | None:
    if "anyOf" in node or "oneOf" in node:
        return list(node.get("anyOf") or node["oneOf"])
    if isinstance(node.get("type"), list):
        return [{**node, "type": one} for one in node["type"]]
    return None


def _accepts_null(node: Node, root: Node) -> bool:
    node = _resolved(node, root)
    variants = _variants(node)
    if variants is not None:
        return any(_accepts_null(v, root) for v in variants)
    if "enum" in node or "const" in node:
        return None in node.get("enum", [node.get("const")])
    return bool(node.get("type", "null") == "null")


def _optional(strict: dict[str, Any], plain: Node) -> dict[str, Any]:
    description = strict.pop("description", "")
    default = plain.get("default")
    if default is not None:
        description = f"{description} (null: {default!r})".strip()
    variants = strict.get("anyOf", [strict])
    if not any(v.get("type") == "null" for v in variants):
        variants = [*variants, {"type": "null"}]
    nullable: dict[str, Any] = {"anyOf": variants}
    if description:
        nullable["description"] = description
    return nullable


def _at(path: str) -> str:
    return f"property {path!r}" if path else "the arguments"
