"""Every message has its translations, in every folder with catalogues; and the checks can fail."""

import shutil
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import PoFileError

from tavola.contract import catalogues
from tavola.contract.catalogues import (
    TRANSLATIONS,
    assembled_lines,
    catalogue_folders,
    main,
    problems,
    template,
    updated_text,
)
from tavola.show.speech import DRAFTS, HOUSE, LANGUAGES, Say, catalogue, figure, mark

FOLDERS = catalogue_folders()
IDS = [str(folder.relative_to(HOUSE)) for folder in FOLDERS]

WORDS = """
LEAK = mark("{boat} takes a leak.")

def told(say, count):
    return [say(LEAK, boat=say("the red boat")), say.many("{count} man", "{count} men", count)]
"""
PAGE = """<h1>{{ say("Welcome") }}</h1>
{% for n in counts %}{{ say.many("{count} seat", "{count} seats", n) }}{% endfor %}
{{ say(title, name=say("a friend")) }}"""
GOOD = """
msgid "{boat} takes a leak."
msgstr "{boat} riceve una falla."

msgid "the red boat"
msgstr "la barca rossa"

msgid "{count} man"
msgid_plural "{count} men"
msgstr[0] "{count} uomo"
msgstr[1] "{count} uomini"

msgid "Welcome"
msgstr "Benvenuti"

msgid "{count} seat"
msgid_plural "{count} seats"
msgstr[0] "{count} posto"
msgstr[1] "{count} posti"

msgid "a friend"
msgstr "un amico"
"""


@pytest.fixture
def folder(tmp_path: Path):
    """A folder with sources and a complete Italian catalogue."""
    (tmp_path / "locale").mkdir()
    (tmp_path / "words.py").write_text(WORDS)
    (tmp_path / "test_words.py").write_text('say("never shown")')
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text(PAGE)
    (tmp_path / "locale" / "it.po").write_text(GOOD)
    return tmp_path


# The catalogues of the project


def test_there_are_catalogues():
    assert HOUSE / "games" / "lifeboats" in FOLDERS
    assert (*LANGUAGES,) == ("en", *TRANSLATIONS)


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_catalogues_are_complete_and_as_the_command_writes_them(folder, monkeypatch: pytest.MonkeyPatch, subtests):
    monkeypatch.setattr(catalogues, "template", cache(template))  # its messages are the same for every language
    for language in (*TRANSLATIONS, *DRAFTS):
        with subtests.test(language):
            assert problems(folder, language) == []
            assert (folder / "locale" / f"{language}.po").read_text(encoding="utf-8") == updated_text(folder, language)


def test_no_message_is_put_together():
    sources = [path for path in HOUSE.rglob("*.py") if not path.match("test_*.py")]
    found = {str(path.relative_to(HOUSE)): assembled_lines(path.read_text(encoding="utf-8")) for path in sources}
    assert not {path: lines for path, lines in found.items() if lines}


# The checks themselves


def test_all_messages_are_found(folder: Path):
    found = {message.id for message in template(folder) if message.id}
    assert found == {
        "{boat} takes a leak.",
        "the red boat",
        ("{count} man", "{count} men"),
        "Welcome",
        ("{count} seat", "{count} seats"),
        "a friend",
    }


def test_the_messages_of_tables_are_found(tmp_path: Path):
    tables = 'A = marks("red", "green")\nB = mark_many("{count} man", "{count} men")\nC = Forms("I go", "you go")\n'
    (tmp_path / "words.py").write_text(tables)
    found = {message.id for message in template(tmp_path) if message.id}
    assert found == {"red", "green", ("{count} man", "{count} men"), "I go", "you go"}


def test_a_complete_catalogue_has_no_problems(folder: Path):
    assert problems(folder, "it") == []


def test_a_draft_may_lack_messages_but_not_parts_of_them(folder: Path, monkeypatch, capsys):
    monkeypatch.setitem(DRAFTS, "it", "Italiano")
    path = folder / "locale" / "it.po"
    path.write_text(GOOD.replace('"la barca rossa"', '""').replace('msgid "Welcome"\nmsgstr "Benvenuti"\n', ""))
    assert problems(folder, "it") == []
    main(["check", str(folder)])
    assert "Italiano is a draft: 2 messages are in English" in capsys.readouterr().out
    path.write_text(
        GOOD.replace('msgstr[1] "{count} posti"', 'msgstr[1] ""').replace("{boat} riceve", "{barca} riceve")
    )
    assert [found.partition(":")[0] for found in problems(folder, "it")] == ["placeholders", "empty"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('msgid "Welcome"\nmsgstr "Benvenuti"\n', "", "missing: 'Welcome'"),
        ('"la barca rossa"', '""', "empty: 'the red boat'"),
        ('msgstr[1] "{count} posti"', 'msgstr[1] ""', "empty: ('{count} seat', '{count} seats')"),
        ('msgid "Welcome"', '#, fuzzy\nmsgid "Welcome"', "fuzzy: 'Welcome'"),
        ('msgid "Welcome"', 'msgid "Farewell"\nmsgstr "Addio"\n\nmsgid "Welcome"', "obsolete: 'Farewell'"),
        ('msgid "Welcome"', '#~ msgid "Old"\n#~ msgstr "Vecchio"\n\nmsgid "Welcome"', "obsolete: 'Old'"),
        ("{boat} riceve", "{barca} riceve", "placeholders: '{boat} takes a leak.'"),
        ("{boat} riceve", "{boat riceve", "placeholders: '{boat} takes a leak.'"),
        ('msgstr[0] "{count} uomo"', 'msgstr[0] "un uomo"', "placeholders: ('{count} man', '{count} men')"),
        ("una falla.", "una falla", "ending: '{boat} takes a leak.'"),
    ],
)
def test_every_kind_of_problem_is_found(folder: Path, old, new, problem):
    path = folder / "locale" / "it.po"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert any(found.startswith(problem) for found in problems(folder, "it")), problems(folder, "it")


def test_a_language_without_catalogue_misses_everything(folder: Path):
    assert len(problems(folder, "de")) == 6


@pytest.mark.parametrize(
    "call",
    [
        'say(f"{name} votes")',
        'say("a" + b)',
        'say.many("one", f"{n} men", n)',
        'mark("%s" % a)',
        'marks("a", "b", c + d)',
    ],
)
def test_messages_put_together_are_found(call):
    assert assembled_lines(f"x = 1\n{call}\n") == [2]


@pytest.mark.parametrize(
    "call", ['say("a" "b", name=f"{x}")', 'say(TABLE[f"{x}"])', 'print(f"{x}")', "say.name(a + b)"]
)
def test_whole_messages_are_let_alone(call):
    assert assembled_lines(call) == []


def test_update_keeps_translations_and_adds_what_is_new(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "words.py").write_text(WORDS.replace("the red boat", "the blue boat"))
    assert main(["update", str(folder)]) == 0
    text = (folder / "locale" / "it.po").read_text()
    assert "riceve una falla" in text
    assert "red boat" not in text
    assert "blue boat" in text
    assert "it.po: empty: 'the blue boat'" in capsys.readouterr().out
    assert not [word for word in ("Date", "words.py", "page.html", "#~") if word in text]
    main(["update", str(folder)])
    assert (folder / "locale" / "it.po").read_text() == text


def test_check_answers_with_its_exit_code(folder: Path, capsys: pytest.CaptureFixture[str]):
    for language in ("fr", "de"):
        shutil.copy(folder / "locale" / "it.po", folder / "locale" / f"{language}.po")
    assert main(["check", str(folder)]) == 0
    (folder / "locale" / "de.po").unlink()
    assert main(["check", str(folder)]) == 1
    assert main(["destroy"]) == 2
    assert "python -m scripts.catalogues update" in capsys.readouterr().out


# Saying


@pytest.fixture
def italian(folder: Path):
    return Say(folder, "it", ["Ada", "Bruno"])


def test_messages_are_said_in_the_language(italian: Say):
    assert italian(mark("{boat} takes a leak."), boat=italian("the red boat")) == "la barca rossa riceve una falla."
    assert [italian.many("{count} man", "{count} men", n) for n in (0, 1, 2)] == ["0 uomini", "1 uomo", "2 uomini"]


def test_english_and_unknown_messages_are_said_as_written(folder: Path, italian: Say):
    english = Say(folder, "en")
    assert english("{boat} takes a leak.", boat="She") == "She takes a leak."
    assert [english.many("{count} man", "{count} men", n) for n in (0, 1, 2)] == ["0 men", "1 man", "2 men"]
    assert italian("Never translated") == "Never translated"


def test_names_and_lists(folder: Path, italian: Say):
    assert [italian.name(seat) for seat in range(3)] == ["Ada", "Bruno", "P3"]
    lists = {language: Say(folder, language).listing(["a", "b", "c"]) for language in LANGUAGES}
    assert lists == {"en": "a, b and c", "it": "a, b e c", "fr": "a, b et c", "de": "a, b und c"}


def test_a_name_with_braces_is_only_a_name(folder: Path):
    say = Say(folder, "en", ["{boat}", "{0.__class__}"])
    assert say("{name} meets {names}", name=say.name(0), names=say.listing(say.names)) == (
        "{boat} meets {boat} and {0.__class__}"
    )


def test_french_counts_nought_as_one(folder: Path):
    path = folder / "locale" / "fr.po"
    path.write_text(GOOD.replace("uomini", "hommes").replace("uomo", "homme"))
    assert [Say(folder, "fr").many("{count} man", "{count} men", n) for n in (0, 1, 2)] == [
        "0 homme",
        "1 homme",
        "2 hommes",
    ]


def test_a_number_below_zero_has_a_true_minus_and_the_form_of_its_size(folder: Path):
    path = folder / "locale" / "fr.po"
    path.write_text(GOOD.replace("uomini", "hommes").replace("uomo", "homme"))
    assert [Say(folder, "fr").many("{count} man", "{count} men", n) for n in (-1, -4)] == ["−1 homme", "−4 hommes"]
    assert Say(folder, "en")("{change} for you, a half-full {boat}", change=-3, boat=2) == "−3 for you, a half-full 2"
    assert [figure(n, signed=True) for n in (-2, 0, 3)] == ["−2", "+0", "+3"]


def test_a_language_has_as_many_forms_as_its_catalogue_says(folder: Path):
    header = 'msgid ""\nmsgstr "Plural-Forms: nplurals=3; plural=(n == 1 ? 0 : n == 2 ? 1 : 2);\\n"\n'
    forms = 'msgid "{count} man"\nmsgid_plural "{count} men"\n' + "".join(
        f'msgstr[{form}] "{{count}} {word}"\n' for form, word in enumerate(("mož", "moža", "možje"))
    )
    (folder / "locale" / "sl.po").write_text(header + "\n" + forms)
    assert [Say(folder, "sl").many("{count} man", "{count} men", n) for n in (1, 2, 3)] == [
        "1 mož",
        "2 moža",
        "3 možje",
    ]


def test_what_a_game_does_not_say_the_house_does(folder: Path):
    assert Say(folder, "it")("Player {number}", number=2) == "Giocatore 2"


def test_a_broken_catalogue_is_refused(tmp_path: Path):
    (tmp_path / "locale").mkdir()
    (tmp_path / "locale" / "it.po").write_text('msgid "a"\nthis is no line of a catalogue\n')
    with pytest.raises(PoFileError):
        catalogue(tmp_path, "it")
