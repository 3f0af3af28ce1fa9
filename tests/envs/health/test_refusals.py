"""What is declined is put on file with a reason that is true, unasked as well."""

from lexgym.envs.domain import Domain


def test_the_manual_orders_to_put_on_file_what_a_check_forbids(domain: Domain) -> None:
    saying_no = domain.manual.split("## 7.")[1].split("## 8.")[0]
    assert "put on file that it was declined" in saying_no
    assert "also when nobody asks" in saying_no
