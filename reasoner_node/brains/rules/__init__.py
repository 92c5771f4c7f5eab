"""The embedded brain: reads plain goals by grammar and decides by rules, without a model."""

from reasoner_node.brains.rules.decide import RulesBrain

__all__ = ["RulesBrain"]
