import Testing

@testable import EscrowManifest

@Suite("A host's name means one machine, wherever it is asked for")
struct HostNameTests {
    private static func problem(_ text: String) -> HostName.Problem? {
        do throws(HostName.Problem) { try HostName.check(text) } catch { return error }
        return nil
    }

    @Test(
        "Names that are set aside are refused, and the rule says under which",
        arguments: [
            "printer.local", "a.b.local", "expyuzz4wqqyqhjn.onion", "db.internal", "router.home.arpa",
            "1.0.0.127.in-addr.arpa", "localhost", "a.localhost", "a.test", "a.invalid", "a.example",
            "box.lan",
            "box.home", "box.corp", "box.mail", "box.alt", "box.intranet", "box.private", "box.localdomain",
        ])
    func setAside(name: String) throws {
        let suffix = try #require(name.split(separator: ".").last)
        #expect(Self.problem(name) == .setAside(String(suffix)))
        #expect(Self.problem(name)?.words.contains("\"\(suffix)\"") == true)
    }

    @Test(
        "Every rule has its own words",
        arguments: [
            ("127.0.0.1", .address), ("api.example.0", .address), ("intranet1", .oneLabel), ("", .spelling),
            ("a..org", .spelling), ("a.org.", .spelling), ("A.org", .spelling), ("a_b.org", .spelling),
            ("m\u{FC}nchen.de", .spelling), (String(repeating: "a", count: 64) + ".org", .tooLong),
            (String(repeating: "a.", count: 126) + "org", .tooLong),
        ] as [(String, HostName.Problem)])
    func rules(name: String, expected: HostName.Problem) {
        #expect(Self.problem(name) == expected)
    }

    @Test(
        "A label xn-- that is no punycode, or a second spelling, is refused",
        arguments: [
            // No code, no letter beyond ASCII, a delimiter too many.
            "xn--99999999", "xn--abc-", "xn---", "xn--mnchen-3y", "xn--M", "xn--a-9999999",
            // 中文网 with a delimiter behind no letter.
            "xn---fiq228c5hs",
        ])
    func punycode(label: String) {
        let problem = Self.problem("\(label).org")
        #expect(problem == .punycode || problem == .spelling, "\(label) \(String(describing: problem))")
    }

    @Test(
        "Letters that cannot be seen, that are folded to others, or that have another spelling are refused",
        arguments: [
            // A capital, a wide letter, a joined one, a space of no width, a sign, an emoji, a mark at the beginning, an accent
            // beside its letter, a slash that is none, a full stop that is none, Hangul in parts.
            "M\u{DC}NCHEN", "\u{FF41}pi", "o\u{FB03}ce", "a\u{200B}b", "a\u{AD}b", "a\u{202E}b", "\u{2665}",
            "\u{1F4A9}",
            "\u{903}a", "e\u{301}a", "a\u{2044}b", "a\u{2215}b", "a\u{3002}b", "\u{1112}\u{1161}",
            "\u{212A}b", "a\u{E000}",
            "a\u{200D}b", "\u{B2}a", "\u{80}",
        ])
    func letters(text: String) {
        let label = "xn--" + String(decoding: Punycode.encode(Array(text.unicodeScalars)), as: UTF8.self)
        let problem = Self.problem("\(label.lowercased()).org")
        #expect(problem == .letters || problem == .punycode, "\(label) \(String(describing: problem))")
    }

    @Test(
        "A name beyond ASCII is shown both ways, that of DNS first",
        arguments: [
            ("api.example.org", "api.example.org"),
            ("xn--mnchen-3ya.de", "xn--mnchen-3ya.de (\"münchen.de\")"),
            ("api.xn--strae-oqa.de", "api.xn--strae-oqa.de (\"api.straße.de\")"),
            ("xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai (\"пример.рф\")"),
            ("xn--fiq228c5hs.xn--fiq228c5hs.org", "xn--fiq228c5hs.xn--fiq228c5hs.org (\"中文网.中文网.org\")"),
            (
                "xn--4dbcagdahymbxekheh6e0a7fei0b.org",
                "xn--4dbcagdahymbxekheh6e0a7fei0b.org (a name in letters that are written from right to left)"
            ),
            // Looks like another name, and is seen not to be it.
            ("xn--pple-43d.com", "xn--pple-43d.com (\"\u{430}pple.com\")"),
        ])
    func shown(host: String, expected: String) throws {
        #expect(try EgressTemplate("https://\(host)/").shownHost == expected)
        let reading = expected.dropFirst(host.count)
        #expect(try EgressTemplate("https://\(host)/v1/{a}").shown == "https://\(host)/v1/{a}\(reading)")
    }
}
