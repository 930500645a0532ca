"""Text USD as far as exports use it: prims with metadata, attributes, arrays, time samples and relations. Written from the grammar of the format
("USD ASCII"), without code of Thixo. `read` returns the root's metadata and prims."""

import re

TOKEN = re.compile(r'\s+|#[^\n]*|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<asset>@[^@\n]*@)|(?P<path><[^>\n]*>)'
                   r'|(?P<number>-?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)(?![\w]))|(?P<word>[A-Za-z_][\w:]*(?:\.[A-Za-z]+)?(?:\[\])?)'
                   r'|(?P<mark>[(){}\[\]=,:])')


class Prim:
    def __init__(self, kind, type_name, name):
        self.kind, self.type, self.name = kind, type_name, name
        self.metadata, self.values, self.types, self.children = {}, {}, {}, {}

    def at(self, path):
        prim = self
        for name in path.strip("/").split("/"):
            prim = prim.children[name]
        return prim

    def walk(self):
        yield self
        for child in self.children.values():
            yield from child.walk()


class _Reader:
    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise ValueError(f"not a token: {text[at:at + 40]!r}")
            at = match.end()
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match.group()))
        self.at = 0

    def peek(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self, wanted=None):
        kind, text = self.tokens[self.at]
        if wanted is not None and text != wanted:
            raise ValueError(f"{wanted!r} expected, got {text!r} (token {self.at})")
        self.at += 1
        return kind, text

    def value(self):
        kind, text = self.take()
        if text in "([":
            items, end = [], ")" if text == "(" else "]"
            while self.peek() != end:
                items.append(self.value())
                if self.peek() == ",":
                    self.take()
            self.take(end)
            return items if end == "]" else tuple(items)
        if kind == "number":
            return float(text)
        if kind == "string":
            return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        if kind in ("asset", "path"):
            return text[1:-1]
        raise ValueError(f"a value expected, got {text!r}")

    def samples(self):
        self.take("{")
        found = {}
        while self.peek() != "}":
            time = self.value()
            self.take(":")
            if time in found:
                raise ValueError("two samples of one time")
            found[time] = self.value()
            if self.peek() == ",":
                self.take()
        self.take("}")
        return found

    def dictionary(self):
        self.take("{")
        found = {}
        while self.peek() != "}":
            _, type_name = self.take()
            _, name = self.take()
            self.take("=")
            found[name] = self.dictionary() if type_name == "dictionary" else self.value()
        self.take("}")
        return found

    def metadata(self):
        found = {}
        if self.peek() != "(":
            return found
        self.take("(")
        while self.peek() != ")":
            _, name = self.take()
            if name == "prepend":
                _, name = self.take()
            self.take("=")
            found[name] = self.dictionary() if self.peek() == "{" else self.value()
        self.take(")")
        return found

    def attribute(self, prim):
        _, type_name = self.take()
        while type_name in ("custom", "uniform"):
            _, type_name = self.take()
        _, name = self.take()
        name, _, what = name.partition(".")
        if prim.types.setdefault(name, type_name) != type_name:
            raise ValueError(f"two types of {name}")
        value = None
        if self.peek() == "=":
            self.take("=")
            value = self.samples() if what == "timeSamples" else self.value()
        if value is not None:
            if name in prim.values:
                raise ValueError(f"two values of {name}")
            prim.values[name] = value
        self.metadata()

    def body(self, prim):
        while self.peek() not in (None, "}"):
            if self.peek() in ("def", "over", "class"):
                _, kind = self.take()
                type_name = self.take()[1] if self.tokens[self.at][0] == "word" else ""
                child = Prim(kind, type_name, self.value())
                if child.name in prim.children or not re.fullmatch(r"[A-Za-z_]\w*", child.name):
                    raise ValueError(f"prim name {child.name!r}")
                child.metadata = self.metadata()
                self.take("{")
                self.body(child)
                self.take("}")
                prim.children[child.name] = child
            else:
                self.attribute(prim)


def read(path):
    text = path.read_text()
    if not text.startswith("#usda 1.0\n"):
        raise ValueError("no USD header")
    reader, root = _Reader(text), Prim("root", "", "")
    root.metadata = reader.metadata()
    reader.body(root)
    if reader.peek() is not None:
        raise ValueError("text behind the last prim")
    return root
