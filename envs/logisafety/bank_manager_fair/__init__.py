"""Online banking: accounts, payees, transfers and bills; LogiSafetyBench's toolkit in the profile `fair`."""
