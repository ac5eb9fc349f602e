import EscrowHome
import EscrowJSON
import Testing

@testable import EscrowLedger
@testable import EscrowPage

/// What was sent is shown byte for byte, and does nothing on the page.
@Suite struct SentViewTests {
    private static func record(_ body: String) -> EgressRecord {
        EgressRecord(
            id: "r-1.1", run: "r-1", time: LedgerTime(milliseconds: 0),
            sent: [
                "method": "POST", "url": "https://x.example/y?q=%3C", "app": "a.b", "plugin": "p.q",
                "headers": [["name": "Content-Type", "value": "text/plain"]], "body": .string(body),
                "bytes": 12, "endpoint": "lookup", "fields": [["name": "q", "value": "<"]],
            ])
    }

    @Test func everyByteOfARequestIsThere() {
        let html = SentView.one(Self.record("a  b\nc\u{202E}</pre><script>")).source
        #expect(
            html.contains(
                "POST https://x.example/y?q=%3C\nContent-Type: text/plain\n\n"
                    + "a  b\nc‹U+202E›&lt;/pre&gt;&lt;script&gt;"))
        #expect(!html.contains("<script"))
    }

    @Test func theListNamesWhereItWentAndLeadsToEachRequest() {
        let html = SentView.list([Self.record("")]).source
        #expect(html.contains("x.example") && html.contains("href=\"/sent/r-1.1\""))
    }

    @Test func searchTakesEntriesThatHaveAllItsWords() {
        let entry = LedgerEntry(
            sequence: 7, time: LedgerTime(milliseconds: 0), clock: nil, kind: .runIntent, run: "r-1",
            fields: ["app": "org.example.Notes", "tables": ["Contacts"]], commitment: "", reduced: nil)
        #expect(LedgerView.matches(entry, "") && LedgerView.matches(entry, "notes run-intent contacts"))
        #expect(!LedgerView.matches(entry, "notes photos"))
    }
}
