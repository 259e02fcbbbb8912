"""Listeners hear every change in order until they leave; times are written one way."""

from datetime import UTC, datetime, timedelta, timezone

from bigmind.core.clock import at_home, iso, local, moment_of, system_clock
from bigmind.core.events import Action, Change, EventBus, Kind
from bigmind.core.operation import Role


def change(number: int) -> Change:
    return Change(number, 1, Kind.FACT, "x", Action.CREATED)


def test_listeners_hear_every_change_in_order_until_they_leave():
    bus, one, two = EventBus(), [], []
    leave = bus.subscribe(one.append)
    bus.subscribe(two.append)
    bus.publish([change(1), change(2)])
    leave()
    leave()
    bus.publish([change(3)])
    assert [each.number for each in one] == [1, 2]
    assert [each.number for each in two] == [1, 2, 3]


def test_a_listener_may_leave_while_it_is_told():
    bus, heard = EventBus(), []

    def once(told: Change) -> None:
        heard.append(told.number)
        leave()

    leave = bus.subscribe(once)
    bus.publish([change(1)])
    bus.publish([change(2)])
    assert heard == [1]


def test_times_are_written_in_utc_to_the_second():
    east = timezone(timedelta(hours=2))
    assert iso(datetime(2026, 3, 30, 11, 15, 0, 999_999, tzinfo=east)) == "2026-03-30T09:15:00Z"
    assert system_clock().tzinfo is UTC


def test_people_see_their_own_time():
    moment = datetime(2026, 3, 30, 9, 15, tzinfo=UTC)
    assert local(moment) == moment.astimezone().strftime("%Y-%m-%d %H:%M")
    assert local(moment, "%Y") == "2026"


def test_the_first_and_the_last_time_of_all_are_told_too():
    for year, month in ((1, 1), (9999, 12)):  # as programs write that something never was, or never ends
        for day, hour in ((1, 1), (1, 13), (31, 11), (31, 23)):
            moment = datetime(year, month, day, hour, tzinfo=UTC)
            assert local(moment).count(":") == 1
            assert at_home(moment) == moment


def test_moments_that_windows_knows_no_local_time_for_are_told_in_utc():
    for moment in (datetime(1969, 7, 20, 20, 17, tzinfo=UTC), datetime(3001, 1, 20, tzinfo=UTC)):
        assert at_home(moment) == moment
        assert at_home(moment).utcoffset() is not None


def test_a_moment_of_any_year_is_told_on_every_system():
    assert moment_of(1_774_862_100.5) == datetime(2026, 3, 30, 9, 15, 0, 500_000, UTC)
    assert moment_of(-11_644_473_600) == datetime(1601, 1, 1, tzinfo=UTC)  # what Windows tells of a file without a time
    assert moment_of(253_402_300_799) == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert (moment_of(1e18).year, moment_of(-1e18).year) == (9999, 1)


def test_a_role_includes_those_below_it():
    allowed = {(one, other) for one in Role for other in Role if one.includes(other)}
    assert allowed == {
        (Role.MEMBER, Role.MEMBER),
        (Role.CURATOR, Role.MEMBER),
        (Role.CURATOR, Role.CURATOR),
        (Role.ADMIN, Role.MEMBER),
        (Role.ADMIN, Role.CURATOR),
        (Role.ADMIN, Role.ADMIN),
    }
