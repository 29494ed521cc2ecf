"""Translations fit their messages, no tool loses one, and a release needs all of them."""

from pathlib import Path

import pytest

from tavola.contract.catalogues import TRANSLATIONS, catalogue_path, main, problems, read, status, updated, written
from tavola.contract.messages import MARKED, assembled_lines, catalogue_folders, template
from tavola.show.speech import DRAFTS, LANGUAGES, SHARED_FOLDER, Say, catalogue, figure, mark
from tavola.show.words import Noun
from tests.helpers import edit

FOLDERS = catalogue_folders()

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


def write_catalogue(folder: Path, text: str, language: str = "it") -> None:
    (folder / "locale").mkdir(exist_ok=True)
    (folder / "locale" / f"{language}.po").write_text(text)


@pytest.fixture
def folder(tmp_path: Path):
    """A folder with sources and a complete Italian catalogue."""
    (tmp_path / "words.py").write_text(WORDS)
    (tmp_path / "test_words.py").write_text('say("never shown")')
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text(PAGE)
    write_catalogue(tmp_path, GOOD)
    return tmp_path


def test_there_are_catalogues():
    assert SHARED_FOLDER / "games" / "lifeboats" in FOLDERS
    assert (*LANGUAGES,) == ("en", *TRANSLATIONS)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(SHARED_FOLDER)))
def test_translations_fit_and_are_as_the_command_writes_them(folder):
    wanted = template(folder)
    for language in (*TRANSLATIONS, *DRAFTS):
        assert problems(folder, language) == []
        text = catalogue_path(folder, language).read_text(encoding="utf-8")
        assert text == written(updated(read(folder, language), wanted)), "run python -m scripts.catalogues update"


def test_no_message_is_put_together():
    sources = (path for path in SHARED_FOLDER.rglob("*.py") if not path.match("test_*.py"))
    marking = {path: path.read_text(encoding="utf-8") for path in sources if MARKED.search(path.read_bytes())}
    assert not {path: lines for path, text in marking.items() if (lines := assembled_lines(text))}


def test_all_messages_are_found(folder: Path):
    found = {message.id for message in template(folder) if message.id}
    plain = {"{boat} takes a leak.", "the red boat", "Welcome", "a friend"}
    assert found == plain | {("{count} man", "{count} men"), ("{count} seat", "{count} seats")}


def test_a_context_distinguishes_two_meanings(tmp_path: Path):
    (tmp_path / "words.py").write_text('A = mark("Open", context="a door")\nB = say("Open")\n')
    (tmp_path / "page.html").write_text('{{ say("Open", context="a shop") }}')
    found = {(message.context, message.id) for message in template(tmp_path) if message.id}
    assert found == {("a door", "Open"), (None, "Open"), ("a shop", "Open")}
    write_catalogue(tmp_path, 'msgctxt "a door"\nmsgid "Open"\nmsgstr "Aperta"\n\nmsgid "Open"\nmsgstr "Aprire"\n')
    assert status(read(tmp_path, "it"), template(tmp_path)).missing == ("Open",)
    italian, english = Say(tmp_path, "it"), Say(tmp_path, "en")
    assert [italian("Open"), italian(mark("Open", context="a door"))] == ["Aprire", "Aperta"]
    assert italian("Open", context="a shop") == english("Open", context="a shop") == "Open"


def test_the_messages_of_tables_are_found(tmp_path: Path):
    tables = 'A = marks("red", "green")\nB = mark_many("{count} man", "{count} men")\nC = Forms("I go", "you go")\n'
    (tmp_path / "words.py").write_text(tables)
    found = {message.id for message in template(tmp_path) if message.id}
    assert found == {"red", "green", ("{count} man", "{count} men"), "I go", "you go"}


def test_a_draft_may_lack_messages_but_not_parts_of_them(folder: Path, monkeypatch, capsys):
    monkeypatch.setitem(DRAFTS, "es", "Español")
    monkeypatch.setattr("tavola.contract.catalogues.TRANSLATIONS", ())
    lacking = GOOD.replace('"la barca rossa"', '""').replace('msgid "Welcome"\nmsgstr "Benvenuti"\n', "")
    write_catalogue(folder, lacking, "es")
    assert main(["check", "--release", str(folder)]) == 0
    wrong = GOOD.replace('msgstr[1] "{count} posti"', 'msgstr[1] ""').replace("{boat} riceve", "{barca} riceve")
    write_catalogue(folder, wrong, "es")
    capsys.readouterr()
    assert main(["check", str(folder)]) == 1
    assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()] == ["placeholders", "empty form"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('msgid "Welcome"\nmsgstr "Benvenuti"\n', "", "missing: 'Welcome'"),
        ('"la barca rossa"', '""', "missing: 'the red boat'"),
        ('msgstr[1] "{count} posti"', 'msgstr[1] ""', "empty form: '{count} seat'"),
        ('msgid "Welcome"', '#, fuzzy\nmsgid "Welcome"', "fuzzy: 'Welcome'"),
        ("{boat} riceve", "{barca} riceve", "placeholders: '{boat} takes a leak.'"),
        ("{boat} riceve", "{boat riceve", "placeholders: '{boat} takes a leak.'"),
        ('msgstr[0] "{count} uomo"', 'msgstr[0] "un uomo"', "placeholders: '{count} man'"),
        ("una falla.", "una falla", "ending: '{boat} takes a leak.'"),
    ],
)
def test_every_kind_of_problem_is_found(folder: Path, old, new, problem):
    edit(folder / "locale" / "it.po", old, new)
    found = problems(folder, "it") + status(read(folder, "it"), template(folder)).unfinished
    assert any(line.startswith(problem) for line in found), found


def test_a_form_may_leave_out_the_number_that_an_english_form_leaves_out(tmp_path: Path):
    (tmp_path / "words.py").write_text('say.many("the only card", "{count} cards", count)\n')
    catalogue = 'msgid "the only card"\nmsgid_plural "{{count}} cards"\nmsgstr[0] "{}"\nmsgstr[1] "{{count}} carte"\n'
    for one, found in (("l’unica carta", []), ("{count} carta", []), ("{number} carta", ["placeholders"])):
        write_catalogue(tmp_path, catalogue.format(one))
        assert [line.partition(":")[0] for line in problems(tmp_path, "it")] == found


@pytest.mark.parametrize(
    "call",
    [
        'say(f"{name} votes")',
        'say("a" + b)',
        'say.many("one", f"{n} men", n)',
        'mark("%s" % a)',
        'marks("a", "b", c + d)',
        'say("a", context=where)',
    ],
)
def test_messages_put_together_are_found(call):
    assert assembled_lines(f"x = 1\n{call}\n") == [2]


@pytest.mark.parametrize(
    "call", ['say("a" "b", name=f"{x}")', 'say(TABLE[f"{x}"])', 'print(f"{x}")', "say.name(a + b)"]
)
def test_whole_messages_are_accepted(call):
    assert assembled_lines(call) == []


def italian_text(folder: Path) -> str:
    return (folder / "locale" / "it.po").read_text()


def update(folder: Path, *options: str) -> str:
    """Return the Italian catalogue after an update."""
    assert main(["update", *options, str(folder)]) == 0
    return italian_text(folder)


def test_update_keeps_the_translation_of_a_changed_message_as_fuzzy(folder: Path, capsys):
    edit(folder / "words.py", "the red boat", "the reddish boat")
    text = update(folder)
    assert '#: words.py\n#, fuzzy\n#| msgid "the red boat"\nmsgid "the reddish boat"\nmsgstr "la barca rossa"\n' in text
    assert "riceve una falla" in text
    assert not [word for word in ("Date", "words.py:", "#~") if word in text]
    assert main(["check", str(folder)]) == 0
    capsys.readouterr()
    assert main(["check", "--release", str(folder)]) == 1
    assert f"{folder.name}/locale/it.po: fuzzy: 'the reddish boat'" in capsys.readouterr().out
    assert update(folder) == text
    edit(folder / "words.py", "the reddish boat", "the red boat")
    assert "fuzzy" not in update(folder)


def test_a_translation_that_is_no_longer_marked_stays_so(folder: Path):
    edit(folder / "locale" / "it.po", 'msgid "Welcome"', '#| msgid "Welcome back"\nmsgid "Welcome"')
    assert '#: templates/page.html\nmsgid "Welcome"\nmsgstr "Benvenuti"\n' in update(folder)


def test_update_keeps_a_translation_that_fits_no_message_until_it_is_pruned(folder: Path):
    edit(folder / "words.py", "the red boat", "a lighthouse")
    text = update(folder)
    assert 'msgid "a lighthouse"\nmsgstr ""' in text
    assert '#~ msgid "the red boat"\n#~ msgstr "la barca rossa"' in text
    edit(folder / "words.py", "a lighthouse", "the red boat")
    assert 'msgid "the red boat"\nmsgstr "la barca rossa"' in update(folder)
    edit(folder / "words.py", "the red boat", "a lighthouse")
    assert "#~" not in update(folder, "--prune")


def test_update_keeps_the_forms_of_a_plural_as_fuzzy(folder: Path):
    edit(folder / "words.py", '"{count} men"', '"{count} people"')
    edit(folder / "templates" / "page.html", "a friend", "a good friend")
    text = update(folder)
    assert '#| msgid_plural "{count} men"\nmsgid "{count} man"\nmsgid_plural "{count} people"' in text
    assert 'msgstr[1] "{count} uomini"' in text
    assert status(read(folder, "it"), template(folder)).fuzzy == ("a good friend", "{count} man")


def test_a_language_adds_a_form_of_a_noun_in_its_own_catalogue(folder: Path):
    nouns = '\nBOAT = Noun(the=marks("the red boat", "the green boat"), short=COLOURS)\n'
    (folder / "words.py").write_text(WORDS + nouns)
    form = '\nmsgctxt "of"\nmsgid "the red boat"\nmsgstr "della barca rossa"\n'
    write_catalogue(folder, GOOD.replace("{boat} riceve una falla.", "Una falla {boat:of}.") + form)
    assert f"#: words.py{form}" in update(folder)
    assert problems(folder, "it") == ["form of: missing for 'the green boat'"]
    boat, leak = Noun(the=["the red boat", "the green boat"]), "{boat} takes a leak."
    italian, english = Say(folder, "it"), Say(folder, "en")
    assert italian(leak, boat=boat(0, italian)) == "Una falla della barca rossa."
    assert f"{boat(0, italian):Of}" == "Della barca rossa"
    assert english(leak, boat=boat(0, english)) == "the red boat takes a leak."
    assert f"{boat(1, italian):of}" == "the green boat", "the noun itself, until the form is there"
    edit(folder / "locale" / "it.po", "Una falla {boat:of}.", "{boat} riceve una falla.")
    assert '#~ msgctxt "of"' in update(folder), "no sentence asks for it any more"
    edit(folder / "locale" / "it.po", "{boat} riceve", "{boat:off} riceve")
    assert problems(folder, "it") == ["form off: not a form of any noun"]


def test_status_counts_by_catalogue_and_language(folder: Path, monkeypatch, capsys):
    monkeypatch.setattr("tavola.contract.catalogues.DRAFTS", {})
    edit(folder / "locale" / "it.po", 'msgid "Welcome"', '#, fuzzy\nmsgid "Welcome"')
    assert main(["status", str(folder)]) == 0
    counts = capsys.readouterr().out.splitlines()[1].split()
    assert counts == [folder.name, "5", "1", "0", "0", "0", "6", "0", "0", "6"]


def test_check_answers_with_its_exit_code(folder: Path, capsys: pytest.CaptureFixture[str]):
    for language in ("fr", "de"):
        write_catalogue(folder, GOOD, language)
    assert main(["check", "--release", str(folder)]) == 0
    (folder / "locale" / "de.po").unlink()
    assert main(["check", str(folder)]) == 0
    assert main(["check", "--release", str(folder)]) == 1
    with pytest.raises(SystemExit, match="2"):
        main(["destroy"])


def rename(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr("tavola.contract.catalogues.catalogue_folders", lambda: [folder])
    assert main(["rename", *arguments]) == 0


def test_rename_changes_sources_and_catalogues_and_keeps_translations(folder: Path, monkeypatch, capsys):
    (folder / "tests").mkdir()
    (folder / "tests" / "notes.txt").write_text('one\nsays "{boat} takes a leak."\n')
    kept = 'OTHER = "the red boat"\nMORE = mark("è", "the red boat")\n'
    (folder / "words.py").write_text(WORDS + kept)
    update(folder)
    pairs = {
        "{boat} takes a leak.": "{boat} springs a leak.",
        "the red boat": 'the "red" boat',
        "Welcome": "Hello,\\nfriends",
        "{count} seats": "{count} chairs",
        "a friend": "an old friend",
    }
    pairs_file = folder / "pairs.tsv"
    pairs_file.write_text("# old, new\n\n" + "".join(f"{old}\t{new}\n" for old, new in pairs.items()))
    rename(folder, monkeypatch, "--file", str(pairs_file))
    words, page = (folder / "words.py").read_text(), (folder / "templates" / "page.html").read_text()
    assert words == WORDS.replace("takes", "springs").replace('"the red boat"', "'the \"red\" boat'") + kept
    assert page == PAGE.replace("{count} seats", "{count} chairs").replace("a friend", "an old friend")
    said = capsys.readouterr().out
    assert "page.html:1: still has 'Welcome'" in said
    assert "tests/notes.txt:2: still has '{boat} takes a leak.'" in said
    assert "entries renamed: 5 it" in said
    changed = {entry.msgid: entry for entry in read(folder, "it") if entry.fuzzy}
    assert {entry.previous_msgid for entry in changed.values()} == {*pairs} - {"{count} seats"} | {"{count} seat"}
    assert changed["{count} seat"].msgid_plural == "{count} chairs"
    assert changed["Hello,\nfriends"].msgstr == "Benvenuti"
    assert status(read(folder, "it"), template(folder)).complete == 1


def test_a_long_message_is_renamed_on_several_lines(folder: Path, monkeypatch):
    new = "{boat} takes a leak, " + ", ".join(f"and reason {number} is as good as any" for number in range(9)) + "."
    rename(folder, monkeypatch, "{boat} takes a leak.", new)
    assert max(map(len, (folder / "words.py").read_text().splitlines())) <= 120
    assert new in {message.id for message in template(folder)}


def test_a_message_inside_an_f_string_keeps_its_quotes(folder: Path, monkeypatch):
    source = """def text(say):\n    return f"{say('Now')}: {say('a friend')}"\n"""
    (folder / "more.py").write_text(source)
    rename(folder, monkeypatch, "Now", "Live")
    assert (folder / "more.py").read_text() == source.replace("Now", "Live")


def test_messages_renamed_to_one_keep_all_translations(folder: Path, monkeypatch):
    rename(folder, monkeypatch, "Welcome", "a friend")
    text = update(folder)
    assert '#: templates/page.html\nmsgid "a friend"\nmsgstr "un amico"' in text
    assert '#~ msgid "Welcome"\n#~ msgstr "Benvenuti"' in text
    (folder / "pairs.tsv").write_text("the red boat\tsomething\na friend\tsomething\n")
    rename(folder, monkeypatch, "--file", str(folder / "pairs.tsv"))
    assert italian_text(folder).count('\nmsgid "something"') == 1
    assert not [text for text in ("barca rossa", "un amico") if text not in italian_text(folder)]


@pytest.mark.parametrize("line", ["one", "one\t", "one\ttwo\tthree", "Welcome\tA\nWelcome\tB"])
def test_a_file_of_pairs_with_another_form_is_refused(folder: Path, line):
    (folder / "pairs.tsv").write_text(line + "\n")
    with pytest.raises(ValueError, match="expected a message, a tab and its new text"):
        main(["rename", "--file", str(folder / "pairs.tsv")])


PERSONS = """
msgid "{name} {name:takes|take} {boat}."
msgstr "%s"
"""


@pytest.mark.parametrize(
    ("translation", "complete"),
    [
        ("{name} {name:prende|prendi} {boat}.", True),
        ("{name:{boat} di |La tua barca}{name:*|} {name:parte|parti}.", True),
        ("{name} prende {boat}.", False),
        ("{name:*|tu} prende {boat}.", False),
    ],
)
def test_words_in_two_persons_are_translated_in_both(folder: Path, translation: str, complete: bool):
    write_catalogue(folder, PERSONS % translation)
    assert [line.partition(":")[0] for line in problems(folder, "it")] == ([] if complete else ["second person"])


@pytest.fixture
def italian(folder: Path):
    return Say(folder, "it", ["Ada", "Bruno"])


def count_men(say: Say, *numbers: int) -> list[str]:
    return [say.many("{count} man", "{count} men", number) for number in numbers]


def test_messages_are_said_in_the_language(italian: Say):
    assert italian(mark("{boat} takes a leak."), boat=italian("the red boat")) == "la barca rossa riceve una falla."
    assert count_men(italian, 0, 1, 2) == ["0 uomini", "1 uomo", "2 uomini"]


def test_english_and_unknown_messages_are_said_as_written(folder: Path, italian: Say):
    english = Say(folder, "en")
    assert english("{boat} takes a leak.", boat="She") == "She takes a leak."
    assert count_men(english, 0, 1, 2) == ["0 men", "1 man", "2 men"]
    assert italian("Never translated") == "Never translated"


def test_names_and_lists(folder: Path, italian: Say):
    assert [italian.name(seat) for seat in range(3)] == ["Ada", "Bruno", "P3"]
    lists = {language: Say(folder, language).listing(["a", "b", "c"]) for language in LANGUAGES}
    assert lists == {"en": "a, b and c", "it": "a, b e c", "fr": "a, b et c", "de": "a, b und c"}


def test_a_name_with_braces_is_only_a_name(folder: Path):
    say = Say(folder, "en", ["{boat}", "{0.__class__}"])
    told = say("{name} meets {names}", name=say.name(0), names=say.listing(say.names))
    assert told == "{boat} meets {boat} and {0.__class__}"


def test_french_counts_nought_as_one_and_below_zero_by_size_with_a_true_minus(folder: Path):
    write_catalogue(folder, GOOD.replace("uomini", "hommes").replace("uomo", "homme"), "fr")
    men = ["0 homme", "1 homme", "2 hommes", "−1 homme", "−4 hommes"]
    assert count_men(Say(folder, "fr"), 0, 1, 2, -1, -4) == men
    assert Say(folder, "en")("{change} for you, a half-full {boat}", change=-3, boat=2) == "−3 for you, a half-full 2"
    assert [figure(n, signed=True) for n in (-2, 0, 3)] == ["−2", "+0", "+3"]


def test_a_language_has_as_many_forms_as_its_catalogue_says(folder: Path):
    header = 'msgid ""\nmsgstr "Plural-Forms: nplurals=3; plural=(n == 1 ? 0 : n == 2 ? 1 : 2);\\n"\n'
    translated = [f'msgstr[{form}] "{{count}} {word}"\n' for form, word in enumerate(("mož", "moža", "možje"))]
    forms = 'msgid "{count} man"\nmsgid_plural "{count} men"\n' + "".join(translated)
    write_catalogue(folder, header + "\n" + forms, "sl")
    assert count_men(Say(folder, "sl"), 1, 2, 3) == ["1 mož", "2 moža", "3 možje"]


def test_messages_that_a_game_lacks_come_from_the_shared_catalogue(folder: Path):
    assert Say(folder, "it")("Player {number}", number=2) == "Posto 2"


def test_a_broken_catalogue_is_refused(tmp_path: Path):
    write_catalogue(tmp_path, 'msgid "a"\nthis is no line of a catalogue\n')
    with pytest.raises(OSError, match="line 2"):
        catalogue(tmp_path, "it")


FUZZY = """
#, fuzzy
#| msgid "Welcome, friends"
msgid "Welcome"
msgstr "Benvenuti, amici"

#, fuzzy
msgid "{boat} takes a leak."
msgstr "{barca} riceve una falla."
"""


@pytest.mark.parametrize(("setting", "said"), [("", "Benvenuti, amici"), ("english", "Welcome")])
def test_a_fuzzy_translation_is_shown_if_it_fits_unless_the_setting_says_english(
    tmp_path: Path, monkeypatch, setting, said
):
    write_catalogue(tmp_path, FUZZY)
    monkeypatch.setenv("TAVOLA_FUZZY", setting)
    say = Say(tmp_path, "it")
    assert say("Welcome") == said
    assert say("{boat} takes a leak.", boat="B") == "B takes a leak."
