"""ROS glue that every node shell uses: parameters, QoS, process life, stamps."""
