"""Telemedicine: doctors, appointments, consultations; LogiSafetyBench's toolkit in the profile `as_released`."""
