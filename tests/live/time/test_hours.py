"""Nights and holidays in every time zone: deadlines, warnings, and the day on which a player is back."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from hypothesis import example, given
from hypothesis import strategies as st

from tavola.live.correspondence.hours import DAY, HOUR, Hours, due_at, warn_at

ZONES = sorted(available_timezones() - {"localtime"})
FIRST, LAST = 788_918_400, 2_208_988_800
"""1995 and 2040. Since 1995, Samoa has skipped a day and Tonga, Kiribati and others have moved their clocks."""
LONGEST_NIGHT = 47 * HOUR
"""A night of 23 hours in which a day is skipped."""
SAMOA = datetime(2011, 12, 31, 3, tzinfo=ZoneInfo("Pacific/Apia")).timestamp()
"""In the first night after 29 December: the 30th was skipped."""
hours = st.integers(0, 23)
times = st.integers(FIRST, LAST)
zones = st.sampled_from([*ZONES, *["Pacific/Apia", "Pacific/Kiritimati", "Australia/Lord_Howe"] * 50])


@given(zones, hours, hours, times)
@example("Pacific/Apia", 22, 8, SAMOA)
@example("Pacific/Kiritimati", 22, 8, FIRST)
def test_a_night_contains_its_evening_and_ends_in_its_morning(zone, begins, ends, at):
    person = Hours(night=(begins, ends), zone=zone)
    evening, morning = person.evening(at), person.morning(at)
    asleep = morning > at
    assert evening <= at <= morning <= at + LONGEST_NIGHT
    assert person.morning(morning) == morning, "someone is awake in the morning"
    if asleep:
        assert person.morning(evening) == morning, "the whole night"
    else:
        assert evening == at == morning


@given(zones, hours, hours, times, st.integers(1, 7), st.booleans())
def test_neither_a_deadline_nor_a_warning_is_at_night(zone, begins, ends, since, days, late):
    person = Hours(night=(begins, ends), zone=zone)
    until = due_at(since, days * DAY, person)
    warned = warn_at(since, until, days * DAY, person)
    assert until >= since + days * DAY
    assert person.morning(until) == until
    assert since <= warned <= until
    if warned > since and begins != ends and (ends - begins) % 24 < 20:
        assert person.morning(warned) == warned


@given(zones, times)
@example("Pacific/Kiritimati", 1_800_000_000)
@example("Pacific/Pago_Pago", 1_800_000_000)
@example("Pacific/Apia", SAMOA)
def test_a_holiday_ends_on_its_day(zone, now):
    """A holiday until a day ends at its midnight, or when the next day begins where that is skipped."""
    day = datetime.fromtimestamp(now, ZoneInfo(zone)).date() + timedelta(days=9)
    until = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).timestamp()
    person = Hours(now - 1.0, until, zone=zone)
    assert date.fromisoformat(person.back_on) in (day, day + timedelta(days=1))
