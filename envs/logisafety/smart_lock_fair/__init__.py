"""A smart lock: the door, guests and access codes; LogiSafetyBench's toolkit in the profile `fair`."""
