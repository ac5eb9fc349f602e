import EscrowConsent
public import EscrowHome
import EscrowJSON

/// What was sent to the network, byte for byte.
public enum SentView {
    /// How many requests stand on one page.
    public static let most = 100

    /// The latest of a book, before an entry.
    public static func list(_ book: SentBook, before: UInt64? = nil) -> HTML {
        guard book.count > 0 else { return element(.p, [], "Nothing was sent.") }
        let found = book.items.filter { $0.entry < before ?? .max }
        let shown = found.suffix(most)
        let older: HTML =
            if found.count > shown.count, let first = shown.first {
                element(
                    .a, [.href(Address("/sent", asking: [("before", "\(first.entry)")]))], "Older requests")
            } else if book.count > book.items.count {
                element(
                    .a, [.href(Address("/ledger", asking: [("search", "egress-sent")]))],
                    "Still older requests stand in the ledger")
            } else {
                ""
            }
        return .all([
            book.count > shown.count
                ? element(
                    .p, [], "\(shown.count) of \(Words.count(book.count, "request")), the latest first.")
                : "",
            shown.isEmpty ? "" : list(shown.map(\.record)), element(.p, [], older),
        ])
    }

    /// Requests in the order in which they were sent; the latest comes first.
    public static func list(_ records: [EgressRecord]) -> HTML {
        guard !records.isEmpty else { return element(.p, [], "Nothing was sent.") }
        return Form.table(
            "Requests", ["Request", "Time, UTC", "App", "Plugin", "To", "Sent", "Received", "Outcome"],
            records.reversed().map { record in
                let name = record.id ?? record.run
                return [
                    record.id == nil
                        ? HTML(name) : element(.a, [.href(Address("/sent", name))], HTML(name)),
                    Form.time(Words.time(record.time)), HTML(Words.short(record.text("app"))),
                    HTML(Words.short(record.text("plugin"))), HTML(Words.short(host(record))),
                    HTML(Words.bytes(Int64(record.bytesOut))), HTML(Words.bytes(Int64(record.bytesIn))),
                    HTML(record.outcome),
                ]
            })
    }

    private static func host(_ record: EgressRecord) -> String {
        let place = record.text("url").dropFirst("https://".count).prefix { $0 != "/" }
        return place.isEmpty ? record.endpoint : String(place)
    }

    /// One request: every byte, and where each value came from.
    public static func one(_ record: EgressRecord) -> HTML {
        var lines = ["\(record.text("method")) \(record.text("url"))"]
        for header in record.sent["headers"]?.array ?? [] {
            lines.append("\(header["name"]?.string ?? ""): \(header["value"]?.string ?? "")")
        }
        if let body = record.sent["body"]?.string { lines += ["", body] }
        var rows: [(label: String, text: String)] = [
            ("Asked by", "\(record.text("plugin")) for \(record.text("app")), in the run \(record.run)"),
            ("Why", record.text("why")), ("Address", record.text("address")),
            ("When", Words.time(record.time) + " UTC"),
            ("Sent", "\(record.bytesOut) bytes, sha256 \(record.text("sha256"))"),
            ("Outcome", "\(record.outcome), \(record.bytesIn) bytes received"),
        ]
        rows.removeAll { $0.text.isEmpty }
        let fields = record.sent["fields"]?.array ?? []
        return .all([
            Form.rows(rows.map { ($0.label, PlainText.neutral($0.text, longest: 1000)) }),
            element(.h2, [], "Byte for byte"),
            element(
                .pre, [.focusable, .label("The request")],
                HTML(PlainText.verbatim(Array(lines.joined(separator: "\n").utf8)))),
            fields.isEmpty
                ? ""
                : Form.table(
                    "Values in it", ["Field", "Value", "The publisher says it comes from"],
                    fields.map { field in
                        let columns = (field["derivedFrom"]?.array ?? []).compactMap(\.string)
                        let source =
                            field["place"]?.string.map { "the \($0) of your place" }
                            ?? (columns.isEmpty ? "nothing of yours" : columns.joined(separator: ", "))
                        return [
                            HTML(Words.short(field["name"]?.string ?? "")),
                            HTML(field["value"].map(Words.value) ?? ""), HTML(source),
                        ]
                    }),
        ])
    }
}
