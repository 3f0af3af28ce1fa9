"""The tools of the clinic's assistant, by theme."""

from lexgym.envs.health.tools.access import (
    break_glass,
    close_account,
    decline_chart_access,
    decline_emergency_access,
    end_chart_access,
    grant_chart_access,
)
from lexgym.envs.health.tools.amendments import (
    accept_amendment,
    check_amendment,
    deny_amendment,
    list_amendment_requests,
)
from lexgym.envs.health.tools.charts import (
    add_addendum,
    add_chart_entry,
    change_mailing_address,
    get_patient_details,
    list_records,
    read_record,
)
from lexgym.envs.health.tools.checks import (
    check_authorization,
    check_minimum_necessary,
    check_restriction,
    open_encrypted_channel,
    verify_requester,
)
from lexgym.envs.health.tools.copies import (
    decline_sharing,
    deny_patient_copy,
    give_patient_copy,
    list_contacts,
    share_with_representative,
)
from lexgym.envs.health.tools.desk import turn_away_user
from lexgym.envs.health.tools.directory import find_patients, list_doctors, list_recipients, list_staff
from lexgym.envs.health.tools.identity import (
    authenticate_user,
    check_access,
    check_clearance,
    end_sessions,
    report_login_discrepancy,
)
from lexgym.envs.health.tools.people import (
    check_consultation,
    check_emergency,
    verify_patient_identity,
    verify_representative,
)
from lexgym.envs.health.tools.prescriptions import (
    book_visit,
    cancel_prescription,
    decline_prescription,
    list_prescriptions,
    prescribe_medication,
    renew_prescription,
)
from lexgym.envs.health.tools.releases import (
    decline_disclosure,
    disclose_record,
    list_disclosures,
    list_release_requests,
    report_misdirected_disclosure,
)
from lexgym.envs.health.tools.rights import (
    agree_restriction,
    file_authorization,
    issue_accounting,
    list_authorizations,
    revoke_authorization,
)
from lexgym.envs.health.tools.safeguards import (
    assess_breach,
    check_integrity,
    document_incident,
    review_emergency_access,
    seal_record,
)
from lexgym.envs.health.tools.trail import notify_patient, record_accounting_entry, record_audit_event

TOOLS = (
    find_patients,
    list_staff,
    list_doctors,
    list_recipients,
    get_patient_details,
    list_records,
    read_record,
    list_prescriptions,
    list_contacts,
    list_release_requests,
    list_disclosures,
    list_authorizations,
    list_amendment_requests,
    book_visit,
    prescribe_medication,
    renew_prescription,
    cancel_prescription,
    decline_prescription,
    add_chart_entry,
    add_addendum,
    disclose_record,
    decline_disclosure,
    give_patient_copy,
    deny_patient_copy,
    share_with_representative,
    decline_sharing,
    file_authorization,
    revoke_authorization,
    agree_restriction,
    accept_amendment,
    deny_amendment,
    issue_accounting,
    change_mailing_address,
    grant_chart_access,
    end_chart_access,
    decline_chart_access,
    break_glass,
    decline_emergency_access,
    close_account,
    turn_away_user,
    report_misdirected_disclosure,
    authenticate_user,
    check_access,
    check_clearance,
    check_consultation,
    check_emergency,
    check_integrity,
    check_authorization,
    check_restriction,
    check_minimum_necessary,
    check_amendment,
    verify_requester,
    verify_patient_identity,
    verify_representative,
    open_encrypted_channel,
    seal_record,
    review_emergency_access,
    end_sessions,
    report_login_discrepancy,
    assess_breach,
    document_incident,
    notify_patient,
    record_accounting_entry,
    record_audit_event,
)

__all__ = ["TOOLS"]
