/// The pages of `escrow explain` for the codes E01xx.
extension ErrorPage {
    static let manifestPages = #"""
        ## E0101 not strict JSON
        The manifest is not JSON as RFC 8259 defines it, or uses something that two readers might understand differently: a byte
        order mark, a comment, a comma too many, `-0`, a number of more than 64 bits.
        Example: `{"schema": "escrow.plugin/1",}`
        Do: go to the line and column that are named. `python3 -m json.tool plugin.json` is less strict but finds most of it.

        ## E0102 unknown member
        The manifest has a member that its schema does not know. Unknown members are refused because a typo in a restriction would
        otherwise switch it off.
        Example: `"egres": []`
        Do: correct the name. Notes of your own go into members that begin with `x-`, at the top level.

        ## E0103 missing member
        A member that must be there is not. A manifest must have: schema, id, version, sequence, title, purpose, publisher, host,
        protocol, accepts, result, sandbox, artifacts; a signed one also files, issued, expires (`escrow plugin pack` adds those).
        Example: a manifest without `"title"`.
        Do: add it; docs/spec/manifest.md has an example of every member.

        ## E0104 wrong type
        A member has a value of another type than the schema says, for example text where a whole number belongs.
        Example: `"sequence": "7"` or `"sequence": 7.0`
        Do: write the value in the type that is named.

        ## E0105 unknown schema
        The document is not a manifest of schema `escrow.plugin/1`. A host that does not know a schema must not guess.
        Example: `"schema": "escrow.plugin/2"`
        Do: install a newer host, or ask the publisher for a package for this one.

        ## E0106 number out of range
        A number is outside the range that is named. Limits have a host maximum; a manifest may only stay below it.
        Example: `"limits": { "memoryMiB": 4096 }`
        Do: choose a number in the range.

        ## E0107 member appears twice
        One object has a member twice. Different JSON readers keep different ones, so that a reviewer could see other permissions
        than the host.
        Example: `"egress": [], "egress": [{…}]`
        Do: remove one of the two lines that are named.

        ## E0108 not a name
        An id, name, media type or header is not spelled as its grammar demands.
        Example: `"id": "Phone Check"`; right: `"id": "org.example.phone-check"`
        Do: use the spelling that the message shows.

        ## E0109 not a version
        `version` is not a semantic version (semver.org), or `host` is not a range with both ends.
        Example: `"host": "*"`; right: `"host": ">=0.1.0 <1.0.0"`
        Do: write three numbers, and both ends of a range.

        ## E0110 word not in the list
        A member takes one of a few words, and this is none of them. The lists are closed, so that people can decide by word.
        Example: `"purpose": { "code": "analytics", … }`
        Do: choose one of the words that the message lists.

        ## E0111 text not allowed
        A text is empty, too long, holds characters that people cannot see or that turn the direction of writing, or has neither a
        letter nor a digit. People are shown titles and purposes word for word.
        Example: a title with a line break.
        Do: shorten it, and use visible characters on one line.

        ## E0112 list empty or too long
        An empty list means none, never all; where none makes no sense it is refused. Every list has a maximum.
        Example: `"reads": { "Contacts": [] }`
        Do: name what you need, or drop the member.

        ## E0113 not a moment in UTC
        `issued` or `expires` is not spelled `2026-11-21T00:00:00Z`, they are in the wrong order, or more than 2 years apart.
        Example: `"expires": "2027-11-21"`
        Do: write both in full, at most 2 years apart.

        ## E0114 named twice
        A list names the same thing twice: columns, files, platforms. Names that differ in letter case only count as the same.
        Example: `"reads": { "Contacts": ["birthday", "Birthday"] }`
        Do: remove one.

        ## E0115 path not allowed
        A file of a package has a path that is not plain: absolute, with `..`, hidden, too long, or with other characters than
        letters, digits, `.`, `_`, `-`, `/`.
        Example: `"path": "../run"`
        Do: name a file within the package.

        ## E0116 wildcard
        There are no wildcards: people must see which tables and columns are read.
        Example: `"reads": { "Contacts": ["*"] }`
        Do: name each column. `escrow schema Contacts` lists them.

        ## E0117 members contradict each other
        Two members do not fit: `min` above `max`, a default outside its bounds, a filter without `input`, the profile `strict` with
        a script, text without a maximum length.
        Example: `"sandbox": { "profile": "strict" }` with `"linkage": "dynamic"`
        Do: change one of the two; the message says which.

        ## E0118 not a digest
        A SHA-256 digest is not 64 lower-case hexadecimal digits.
        Example: `"sha256": "ABC"`
        Do: let `escrow plugin pack` fill in digests.

        ## E0119 egress template not allowed
        An egress URL is a fixed template: https, a DNS name, constant parts and whole `{fields}`. Nothing in it may be moved by data,
        and the name must mean the same machine wherever it is asked for: no address, no `.local`, `.onion` or `.internal`, and
        `xn--` only where it is letters as they must be spelled. The message says which rule is broken.
        Example: `"url": "https://{region}.example.org/"`
        Do: move the field into the path, the query, a header or the body.
        """#
}
