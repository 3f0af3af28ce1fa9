"""The tools of the bank's assistant, by theme."""

from lexgym.envs.finance.tools.accounts import list_accounts, list_transactions
from lexgym.envs.finance.tools.authentication import authenticate_customer, confirm_remote_action, confirm_sca
from lexgym.envs.finance.tools.cards import block_card, change_card_limit, list_cards, unblock_card
from lexgym.envs.finance.tools.checks import check_authorization, check_spending_limit, screen_payment, verify_payee
from lexgym.envs.finance.tools.claims import (
    check_claim,
    refund_unauthorised_transaction,
    report_unauthorised_transaction,
)
from lexgym.envs.finance.tools.customers import (
    change_email_address,
    change_phone_number,
    find_customers,
    get_customer_profile,
)
from lexgym.envs.finance.tools.exemptions import check_low_value_exemption
from lexgym.envs.finance.tools.payees import add_payee, list_payees, set_payee_trusted
from lexgym.envs.finance.tools.payments import initiate_payment, transfer_between_own_accounts
from lexgym.envs.finance.tools.providers import (
    check_consent,
    check_provider,
    grant_data_access,
    list_consents,
    list_providers,
    share_account_data,
    withdraw_data_access,
)
from lexgym.envs.finance.tools.records import notify_customer, record_audit_event
from lexgym.envs.finance.tools.refusals import (
    decline_claim,
    decline_data_access,
    decline_order,
    decline_standing_order,
)
from lexgym.envs.finance.tools.standing_orders import (
    cancel_standing_order,
    change_standing_order,
    create_standing_order,
    list_standing_orders,
)

TOOLS = (
    find_customers,
    get_customer_profile,
    list_accounts,
    list_transactions,
    list_payees,
    list_standing_orders,
    list_cards,
    list_providers,
    list_consents,
    add_payee,
    set_payee_trusted,
    initiate_payment,
    transfer_between_own_accounts,
    decline_order,
    decline_standing_order,
    create_standing_order,
    change_standing_order,
    cancel_standing_order,
    block_card,
    unblock_card,
    change_card_limit,
    report_unauthorised_transaction,
    refund_unauthorised_transaction,
    change_email_address,
    change_phone_number,
    grant_data_access,
    withdraw_data_access,
    share_account_data,
    decline_data_access,
    decline_claim,
    authenticate_customer,
    check_authorization,
    confirm_sca,
    confirm_remote_action,
    verify_payee,
    check_spending_limit,
    screen_payment,
    check_low_value_exemption,
    check_provider,
    check_consent,
    check_claim,
    notify_customer,
    record_audit_event,
)

__all__ = ["TOOLS"]
