"""The tools of the smart-home operator, by theme."""

from lexgym.envs.iot.tools.appliances import start_camera, start_heating, start_oven, unlock_door
from lexgym.envs.iot.tools.checks import (
    check_encryption,
    check_local_operation,
    check_password,
    check_recovery,
    check_secure_storage,
    check_software,
)
from lexgym.envs.iot.tools.configuration import (
    change_network_setting,
    connect_device,
    isolate_device,
    restart_device,
    set_device_password,
    store_parameter,
)
from lexgym.envs.iot.tools.consents import (
    check_consent,
    inform_about_processing,
    list_partners,
    record_consent,
    relay_withdrawal,
    withdraw_consent,
)
from lexgym.envs.iot.tools.data import collect_telemetry, erase_personal_data, examine_telemetry, share_device_data
from lexgym.envs.iot.tools.guests import (
    check_guest_use,
    delete_guest_profile,
    grant_guest_access,
    identify_guest,
    list_guest_profiles,
    list_guests,
    revoke_guest_key,
)
from lexgym.envs.iot.tools.households import find_households, list_devices, list_personal_data
from lexgym.envs.iot.tools.interfaces import check_interface, disable_interface, enable_interface, list_interfaces
from lexgym.envs.iot.tools.prompts import authenticate_owner, confirm_change, confirm_guest_access
from lexgym.envs.iot.tools.records import notify_owner, record_event
from lexgym.envs.iot.tools.refusals import (
    decline_data_sharing,
    decline_device_request,
    decline_guest_access,
    decline_interface,
    decline_password,
    decline_profile_deletion,
    decline_update,
)
from lexgym.envs.iot.tools.surroundings import (
    check_doorstep,
    check_recording_consent,
    check_remote_start,
    set_switch_off_timer,
)
from lexgym.envs.iot.tools.updates import announce_update, install_update, list_updates, verify_update

TOOLS = (
    find_households,
    list_devices,
    list_personal_data,
    list_updates,
    list_interfaces,
    list_guests,
    list_guest_profiles,
    list_partners,
    install_update,
    enable_interface,
    disable_interface,
    grant_guest_access,
    delete_guest_profile,
    record_consent,
    withdraw_consent,
    collect_telemetry,
    share_device_data,
    erase_personal_data,
    unlock_door,
    start_heating,
    start_oven,
    start_camera,
    set_device_password,
    change_network_setting,
    connect_device,
    isolate_device,
    restart_device,
    store_parameter,
    decline_device_request,
    decline_password,
    decline_update,
    decline_interface,
    decline_guest_access,
    decline_profile_deletion,
    decline_data_sharing,
    verify_update,
    announce_update,
    check_interface,
    identify_guest,
    revoke_guest_key,
    check_guest_use,
    check_consent,
    inform_about_processing,
    relay_withdrawal,
    examine_telemetry,
    authenticate_owner,
    confirm_change,
    confirm_guest_access,
    check_password,
    check_secure_storage,
    check_encryption,
    check_software,
    check_local_operation,
    check_recovery,
    check_doorstep,
    check_remote_start,
    set_switch_off_timer,
    check_recording_consent,
    notify_owner,
    record_event,
)

__all__ = ["TOOLS"]
