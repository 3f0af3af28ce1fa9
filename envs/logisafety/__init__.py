"""The three toolkits that LogiSafetyBench's tasks are played on, each in two profiles.

`as_released` behaves as the published mock does: errors are returned values, the smart lock returns bare values,
new ids are those of the reference first, money is binary floating point and compared exactly, a call that could not be
made counts as made, and an episode without a call has missed its goal. `fair` returns what the documentation names,
refuses what cannot be done, compares generated ids up to renaming and keeps money in whole cents.

Money crosses the tool boundary as a number of dollars in both, since the tasks are worded so. Tasks, states and rules
are read from a user's checkout by `lexgym import logisafety`; none of them is kept here.

Source: "Evaluating Implicit Regulatory Compliance in LLM Tool Invocation via Logic-Guided Synthesis"
(arXiv 2601.08196), https://github.com/dasong-sd/LOGISAFETYGEN.
"""
