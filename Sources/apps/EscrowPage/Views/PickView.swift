import EscrowConsent
public import EscrowHost

/// Rows of which the individual picks some: a search, a box before each, and its picture where it has one.
public struct PickView: Sendable {
    let id: String
    let list: PickList
    let search: String
    let picked: Set<String>
    let shownMost: Int

    /// So many rows are shown at first, and so many more each time.
    public static let step = 120

    /// - Parameters:
    ///   - picked: the marks of those that are picked so far; they stand first, whatever is searched for.
    ///   - shownMost: the most rows that are shown.
    public init(id: String, list: PickList, search: String, picked: Set<String>, shownMost: Int) {
        self.id = id
        self.list = list
        self.search = search
        self.picked = picked
        self.shownMost = shownMost
    }

    private var isOne: Bool { list.question.most == 1 }

    public func html(_ proof: String) -> HTML {
        let marks = list.marks
        let chosen = marks.indices.filter { picked.contains(marks[$0]) }
        let found = PickQuestion.search(search, in: list.question.rows).filter { !picked.contains(marks[$0]) }
        let shown = found.prefix(shownMost)
        let app = Words.short(list.question.app)
        return .all([
            element(
                .p, [],
                "\(Words.short(list.question.plugin)) for \(app) is given only what you pick here: ",
                HTML(isOne ? "one" : "at most \(list.question.most)"), " of \(marks.count)."),
            Form.post(
                Address("/pick"), proof, [("id", id), ("most", "\(shownMost)")],
                // The first button of a form is what the return key in its field presses.
                element(
                    .p, [.role("search")],
                    element(.label, [.belongs(to: "search")], "Search"),
                    element(.input, [.id("search"), .name("search"), .value(search), .noSpelling]),
                    Form.button("Search", name: "do", value: "search")),
                element(
                    .fieldset, [],
                    element(.legend, [], HTML(isOne ? "Pick one" : "Pick at most \(list.question.most)")),
                    found.isEmpty && chosen.isEmpty ? element(.p, [], "Nothing has these words.") : "",
                    element(.ul, [.marks("picks")], all: (chosen + shown).map(row)),
                    found.count > shown.count
                        ? Form.button(
                            "Show more: \(found.count - shown.count) are not shown", name: "do", value: "more"
                        )
                        : ""),
                element(
                    .div, [.marks("answers"), .role("group"), .label("Answers")],
                    Form.button("Give it what is picked", name: "do", value: "pick", of: app),
                    Form.button("Pick nothing", name: "do", value: "nothing", of: app))),
        ])
    }

    private func row(_ place: Int) -> HTML {
        let mark = list.marks[place]
        let box: [Attribute] = [.type(isOne ? "radio" : "checkbox"), .name("row"), .value(mark)]
        let picture =
            list.hasFile(place)
            ? element(.img, [.source(Address("/pick", id, mark)), .alternative(""), .lazy]) : ""
        let words = list.question.rows[place]
        return element(
            .li, [],
            element(
                .label, [.marks("pick")], picture,
                element(
                    .span, [], element(.input, picked.contains(mark) ? box + [.checked] : box),
                    element(.bdi, [], HTML(words.isEmpty ? "without words" : words)))))
    }

    /// That somebody waits for it, among the questions.
    public static func card(_ request: PickRequest) -> HTML {
        let heading = "pick-\(request.id)"
        let app = Words.short(request.description.app)
        return element(
            .article, [.marks("question"), .labelled(by: heading)],
            element(
                .h2, [.id(heading)], "Pick what ",
                element(.bdi, [], HTML(Words.short(request.description.title))), " is given"),
            element(
                .p, [.marks("who")], "as ", element(.code, [], element(.bdi, [], HTML(app))),
                ", since \(Words.time(request.since)) UTC"),
            element(
                .p, [],
                element(.a, [.href(Address("/pick", request.id))], "Pick for \(app)")))
    }
}
