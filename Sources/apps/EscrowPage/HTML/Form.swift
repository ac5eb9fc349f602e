/// Forms and tables as all pages have them.
struct Form {
    /// A form that changes something; it carries the proof that this page made it.
    static func post(
        _ action: Address, _ proof: String, _ hidden: [(String, String)] = [], _ children: HTML...
    ) -> HTML {
        let fields = ([("proof", proof)] + hidden).map {
            element(.input, [.hidden, .name($0.0), .value($0.1)])
        }
        return element(.form, [.post, .action(action), .noCompletion], all: fields + children)
    }

    /// A button that says in words for whom it is, where several on a page look alike.
    static func button(
        _ text: String, name: String = "answer", value: String, mark: String = "plain", of what: String = ""
    ) -> HTML {
        element(
            .button,
            [.type("submit"), .name(name), .value(value), .marks(mark)]
                + (what.isEmpty ? [] : [.label("\(text): \(what)")]), HTML(text))
    }

    /// A table; the cells of its first column name the rows. On a narrow screen each row becomes a card with the heads as labels.
    static func table(_ caption: String, _ heads: [String], _ rows: [[HTML]]) -> HTML {
        element(
            .div, [.marks("table"), .focusable, .role("region"), .label(caption)],
            element(
                .table, [],
                element(.caption, [], HTML(caption)),
                element(
                    .thead, [],
                    element(.tr, all: heads.map { element(.th, [.columnScope], HTML($0)) })),
                element(
                    .tbody,
                    all: rows.map { row in
                        element(
                            .tr,
                            all: row.enumerated().map { index, cell in
                                index == 0
                                    ? element(.th, [.rowScope], cell)
                                    : element(
                                        .td, cell.source.isEmpty ? [.marks("void")] : [],
                                        element(.span, [.marks("head")], HTML(heads[index])), cell)
                            })
                    })))
    }

    /// A time that stands on one line.
    static func time(_ text: String) -> HTML { element(.time, [], HTML(text)) }

    /// Labels and what they say.
    static func rows(_ rows: [(label: String, text: String)]) -> HTML {
        element(
            .dl,
            all: rows.flatMap { row in
                let marks: [Attribute] = row.label == "NEW" ? [.marks("strong")] : []
                return [
                    element(.dt, marks, HTML(row.label)),
                    element(.dd, marks, element(.bdi, [], HTML(row.text))),
                ]
            })
    }
}
