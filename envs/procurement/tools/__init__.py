"""The tools of the purchasing assistant, by theme."""

from lexgym.envs.procurement.tools.authority import (
    check_budget,
    check_delegation,
    check_segregation,
    commit_budget,
    obtain_approval,
)
from lexgym.envs.procurement.tools.fulfilment import (
    call_back_supplier,
    inspect_delivery,
    match_invoice,
    regularise_emergency,
    report_emergency,
    set_delivery_option,
)
from lexgym.envs.procurement.tools.invoices import (
    apply_bank_change,
    list_bank_changes,
    list_invoices,
    pay_invoice,
    reject_bank_change,
    withhold_payment,
)
from lexgym.envs.procurement.tools.needs import (
    check_emergency,
    check_legacy_portal,
    check_order_splitting,
    check_permit,
    check_reserve,
    check_stock,
    inspect_offer,
)
from lexgym.envs.procurement.tools.orders import (
    buy_in_emergency,
    call_off,
    cancel_order,
    change_order,
    list_orders,
    place_order,
)
from lexgym.envs.procurement.tools.quotations import (
    decline_emergency_purchase,
    decline_purchase,
    list_incoming_quotations,
    list_quotations,
    register_quotation,
)
from lexgym.envs.procurement.tools.reading import (
    get_department,
    list_employees,
    list_items,
    list_stock,
    list_suppliers,
)
from lexgym.envs.procurement.tools.receiving import record_receipt, reject_delivery
from lexgym.envs.procurement.tools.records import notify_requester, notify_supplier, record_file_entry
from lexgym.envs.procurement.tools.requests import list_requests, submit_request
from lexgym.envs.procurement.tools.sourcing import (
    check_conflict_of_interest,
    check_quotations,
    check_tender,
    confirm_single_source,
    screen_supplier,
)
from lexgym.envs.procurement.tools.supply import allocate_stock, claim_offer, list_portal_offers
from lexgym.envs.procurement.tools.turned_down import (
    decline_allocation,
    decline_change,
    decline_claim,
    decline_request,
)

TOOLS = (
    get_department,
    list_employees,
    list_items,
    list_stock,
    list_suppliers,
    list_requests,
    submit_request,
    decline_request,
    allocate_stock,
    decline_allocation,
    list_portal_offers,
    claim_offer,
    decline_claim,
    list_quotations,
    list_incoming_quotations,
    register_quotation,
    decline_purchase,
    decline_emergency_purchase,
    list_orders,
    place_order,
    call_off,
    buy_in_emergency,
    change_order,
    decline_change,
    cancel_order,
    record_receipt,
    reject_delivery,
    list_invoices,
    pay_invoice,
    withhold_payment,
    list_bank_changes,
    apply_bank_change,
    reject_bank_change,
    check_stock,
    check_reserve,
    check_permit,
    check_legacy_portal,
    inspect_offer,
    check_order_splitting,
    check_emergency,
    check_quotations,
    confirm_single_source,
    check_tender,
    screen_supplier,
    check_conflict_of_interest,
    check_budget,
    commit_budget,
    check_delegation,
    check_segregation,
    obtain_approval,
    set_delivery_option,
    inspect_delivery,
    match_invoice,
    call_back_supplier,
    report_emergency,
    regularise_emergency,
    notify_requester,
    notify_supplier,
    record_file_entry,
)

__all__ = ["TOOLS"]
