"""What all nodes of openral share: contracts, model clients, rSkill manifests, ROS glue."""

__version__ = "0.1.0"
