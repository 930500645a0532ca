"""Names that a source file keeps to itself (unnamed namespaces, `static`). Sanitizer builds compile several files of a folder as one, so
these names must differ within a folder, and from the types of headers."""

import dataclasses
import re

IGNORED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
TYPE = re.compile(r"\b(?:struct|class|union|enum(?: class)?) (\w+)(?: final)?(?: :[^;]*)?$")
VALUE = re.compile(r"^(?:inline |static |const |constexpr |thread_local )+[\w:<>,*& ]*?\b(\w+)(?:\[\w*\])*(?: =.*)?$", re.DOTALL)
FUNCTION = re.compile(r"^(?:[\w:<>,*&\[\] ]+[ *&])?\b(\w+)\(.*", re.DOTALL)


def heads(text):
    """(inside an unnamed namespace, text) of each declaration at the level of namespaces, up to its body or semicolon."""
    scopes, head, skipped = [], "", 0
    for token in re.findall(r"[{};]|[^{};]+", IGNORED.sub(" ", re.sub(r"^\s*#.*(?:\\\n.*)*", "", text, flags=re.MULTILINE))):
        if skipped:  # within a body or an initializer
            skipped += {"{": 1, "}": -1}.get(token, 0)
            continue
        if token == "{":
            space = re.search(r"\bnamespace\b\s*([\w:]*)\s*$", head)
            if space:
                scopes.append(space[1])
            else:
                yield "" in scopes, head.strip()
                skipped = 1
            head = ""
        elif token == "}":
            if scopes:
                scopes.pop()
            head = ""
        elif token == ";":
            if head.strip():
                yield "" in scopes, head.strip()
            head = ""
        else:
            head += token


@dataclasses.dataclass
class Declaration:
    kind: str  # type, value or function
    text: str

    @property
    def is_type(self):
        return self.kind == "type"

    def collides(self, other):
        """Functions may share a name if their parameters differ."""
        return self.kind != "function" or other.kind != "function" or self.text == other.text


def local_names(text):
    """name -> Declaration, of names that this source file alone defines."""
    found = {}
    for unnamed, head in heads(text):
        if not unnamed and not head.startswith("static "):
            continue
        head = re.sub(r"^template\s*<.*?>\s*(?=\w)|\[\[\w+\]\]\s*", "", " ".join(head.split()))
        for kind, pattern in (("type", TYPE), ("value", VALUE), ("function", FUNCTION)):
            match = pattern.search(head.split(" = ")[0] if kind == "value" else head)
            if match and not match[1].isupper():
                found.setdefault(match[1], Declaration(kind, head))
                break
    return found


def types_of_header(text):
    """Types at the level of namespaces that a header defines."""
    return {match[1] for _, head in heads(text) if (match := TYPE.search(" ".join(head.split())))}
