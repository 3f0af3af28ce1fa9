"""Telemedicine: doctors, appointments, consultations, prescriptions, reviews; LogiSafetyBench's toolkit in the profile `as_released`."""
