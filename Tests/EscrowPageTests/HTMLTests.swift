import Testing

@testable import EscrowPage

/// Text is text: whoever wrote it makes no markup, and nothing that a reader obeys.
@Suite struct HTMLTests {
    @Test(arguments: [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("\"' onclick=`x`&amp;", "&quot;&#39; onclick=&#96;x&#96;&amp;amp;"), ("plain", "plain"),
        ("turned \u{202E}round\u{0007}", "turned ‹U+202E›round‹U+0007›"), ("עברית é", "עברית é"),
    ])
    func textIsEscapedWhereverItStands(_ text: String, _ written: String) {
        #expect(HTML(text).source == written)
        #expect(("a \(text) b" as HTML).source == "a \(written) b")
        #expect(element(.p, [], HTML(text)).source == "<p>\(written)</p>")
        #expect(element(.input, [.value(text)]).source == "<input value=\"\(written)\">")
    }

    @Test func aPieceIsPutInAsItIsAndOnce() {
        let piece = element(.em, [], "<b>")
        #expect(("x \(piece) y" as HTML).source == "x <em>&lt;b&gt;</em> y")
    }

    @Test func anAddressLeadsNowhereElse() {
        let address = Address("/data", "../../x?y#z//evil", asking: [("search", "a&b=\"<\u{202E}")])
        #expect(address.spelling == "/data/..%2F..%2Fx%3Fy%23z%2F%2Fevil?search=a%26b%3D%22%3C%E2%80%AE")
        #expect(Address("/data", "..").spelling == "/data/%2E%2E")
        #expect(element(.a, [.href(address)], "x").source.contains("href=\"/data/"))
    }

    @Test func aPageHasNoScriptOfItsOwnAndNothingFromElsewhere() {
        let frame = Frame(
            .now, title: "<title>", proof: "p\"q", waiting: 2, underWay: 1, notice: .init("<i>"))
        let page = String(decoding: frame.page(element(.p, [], "content")), as: UTF8.self)
        #expect(page.contains("&lt;title&gt; – Escrow") && page.contains("&lt;i&gt;"))
        #expect(!page.contains("<script>") && !page.contains("style=") && !page.contains("//"))
        #expect(page.contains("2 questions waiting") && page.contains("1 dataflow now"))
    }
}

@Suite struct FormBodyTests {
    @Test func fieldsComeOutAsTheyWentIn() throws {
        let form = try #require(FormBody(Array("a=1+2&b=%3Cx%3E&a=3&c=".utf8)))
        #expect(form["b"] == "<x>" && form["c"] == "" && form["d"] == nil)
        #expect(form["a"] == nil && form.all("a") == ["1 2", "3"])
    }

    @Test(arguments: ["a", "a=%", "a=%4", "a=%zz", "a=%FF", "a=%00"])
    func whatNoFormOfOursSendsIsRefused(_ text: String) {
        #expect(FormBody(Array(text.utf8)) == nil)
    }

    @Test func aFormThatIsTooLongOrHasTooMuchInItIsRefused() {
        #expect(FormBody(Array(repeating: UInt8(ascii: "&"), count: FormBody.maximumBytes)) != nil)
        #expect(FormBody(Array(repeating: UInt8(ascii: "&"), count: FormBody.maximumBytes + 1)) == nil)
        let many = Array(repeating: "a=b", count: FormBody.maximumFields + 1).joined(separator: "&")
        #expect(FormBody(Array(many.utf8)) == nil)
    }

    @Test func oneCookieIsTakenAndTwoAreNone() {
        #expect(CookieHeader.value(of: "k", in: "a=b; k=1; kk=2") == "1")
        #expect(CookieHeader.value(of: "k", in: "k=1; k=1") == nil)
        #expect(CookieHeader.value(of: "k", in: "kk=1; xk=2") == nil)
    }
}
