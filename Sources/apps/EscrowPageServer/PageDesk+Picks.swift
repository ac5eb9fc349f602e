import EscrowDiagnostics
import EscrowHost
import EscrowPage
import Synchronization

extension PageDesk {
    /// What the individual sees while they pick: the rows as they were read, what they searched for, and what is picked so far.
    struct PickSight {
        var list: PickList
        var search = ""
        var picked: Set<String> = []
        var shownMost = PickView.step
    }

    /// `/pick/ID`, read anew each time it is shown.
    func pickPage(_ id: String) throws(Diagnostic) -> HTML {
        let list = try host.rows(of: try host.pickRequest(id))
        let sight = state.withLock { state in
            var sight = state.picks[id] ?? PickSight(list: list)
            sight.list = list
            sight.picked.formIntersection(list.marks)
            // What nobody picks for is not kept for ever.
            if state.picks.count >= 8 { state.picks.removeAll() }
            state.picks[id] = sight
            return sight
        }
        return PickView(
            id: id, list: sight.list, search: sight.search, picked: sight.picked, shownMost: sight.shownMost
        ).html(proof)
    }

    /// `/pick/ID/MARK`: the picture of a row that is shown.
    func pickPicture(_ id: String, _ mark: String) -> PageAnswer? {
        guard let picture = state.withLock({ $0.picks[id]?.list })?.picture(mark) else { return nil }
        return PageAnswer(type: picture.mediaType, body: picture.bytes)
    }

    func pick(_ form: FormBody) throws(Diagnostic) -> PageAnswer {
        let id = form["id"] ?? ""
        let request = try host.pickRequest(id)
        let rows = Set(form.all("row"))
        switch form["do"] {
        case "search", "more":
            let most = min(max(form["most"].flatMap { Int($0) } ?? 0, PickView.step), 10_000)
            state.withLock { state in
                state.picks[id]?.search = form["search"] ?? ""
                state.picks[id]?.picked = rows
                state.picks[id]?.shownMost = form["do"] == "more" ? most + PickView.step : PickView.step
            }
            return .see(Address("/pick", id))
        case "pick":
            state.withLock { $0.picks[id]?.picked = rows }
            try host.pick(rows, for: request)
            return over(id, "Picked: its next run is given these, and nothing else.")
        case "nothing":
            try host.pickNothing(for: request)
            return over(id, "Nothing is picked.")
        default: throw Diagnostic(.answerUnclear, "that is no answer, so nothing is picked")
        }
    }

    private func over(_ id: String, _ words: String) -> PageAnswer {
        _ = state.withLock { $0.picks.removeValue(forKey: id) }
        return done(words, Address("/"))
    }
}
