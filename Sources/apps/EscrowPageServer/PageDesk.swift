import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowLedger
import EscrowLocation
import EscrowManifest
import EscrowPage
import EscrowSources
import EscrowTableKit
import EscrowTabular
import EscrowTrust
import Synchronization

/// What the individual's browser asks for, once it is known to be theirs: pages by GET, changes by POST.
final class PageDesk: Sendable {
    let host: Host
    let proof: String
    let state = Mutex(State())
    /// Apart from the state, so that no answer waits while a long ledger is read.
    let past = Mutex(Past())

    struct State {
        /// What the last change came to, for the next page.
        var notice: Frame.Notice?
        /// Rules that were held against the past, by their digests: only these may be kept.
        var tried: Set<String> = []
        var trial: (text: String, base: String, trial: RulesView.Trial)?
        var verdict: [String] = []
        /// What was looked at before it is decided, by the question's id.
        var previews: [String: QuestionView.Sight] = [:]
        /// What is being picked from, by the request's id.
        var picks: [String: PickSight] = [:]
    }

    init(host: Host, proof: String) {
        self.host = host
        self.proof = proof
    }

    // MARK: Pages

    /// A page, or why there is none.
    func look(at path: String, search: String, before: UInt64?) -> PageAnswer {
        do throws(Diagnostic) {
            if path == "/state.json" { return try stateNow() }
            if let answer = try pickAnswer(path.split(separator: "/").map { String($0) }) { return answer }
            let parts = path.split(separator: "/", maxSplits: 1).map { String($0) }
            let item = parts.count == 2 ? parts[1] : nil
            guard let section = parts.isEmpty ? .now : Frame.Section(rawValue: parts[0]),
                section != .now || parts.isEmpty,
                let content = try content(section, item, search: search, before: before)
            else { return page(.now, "There is no such page", HTML(""), status: 404) }
            return page(section, content.title, content.html)
        } catch {
            return page(.now, "That could not be shown", Self.words(error), status: 500)
        }
    }

    private typealias Content = (title: String?, html: HTML)

    private func content(
        _ section: Frame.Section, _ item: String?, search: String, before: UInt64?
    ) throws(Diagnostic) -> Content? {
        switch (section, item) {
        case (.now, nil): return (nil, try now())
        case (.flows, nil): return (nil, try flows())
        case (.data, nil): return (nil, try dataView().html)
        case (.data, let word?): return try dataView().pane(word, proof: proof).map { (word, $0) }
        case (.grants, nil): return (nil, try grantsPage(after: before))
        case (.rules, nil): return (nil, try rules())
        case (.sent, nil): return (nil, try sentList(before: before))
        case (.sent, let id?): return try sentOne(id).map { ("Request \(id)", $0) }
        case (.places, nil): return (nil, try places())
        case (.ledger, nil): return (nil, try ledger(search, before: before))
        case (.ledger, let word?): return try ledgerEntry(word)
        case (.sources, nil): return (nil, try sources())
        case (.plugins, nil): return (nil, try plugins())
        default: return nil
        }
    }

    private func page(
        _ section: Frame.Section, _ title: String?, _ html: HTML, status: UInt32 = 200
    ) -> PageAnswer {
        host.timetable.seeIndividual()
        let notice = state.withLock { state in
            defer { state.notice = nil }
            return state.notice
        }
        let frame = Frame(
            section, title: title, proof: proof, waiting: (try? waitingCount()) ?? 0,
            underWay: (try? countUnderWay()) ?? 0, notice: notice,
            live: (try? toldLive()).flatMap(PlacesView.indicator))
        return PageAnswer(status: status, body: frame.page(html))
    }

    private func pickAnswer(_ parts: [String]) throws(Diagnostic) -> PageAnswer? {
        guard parts.first == "pick" else { return nil }
        return switch parts.count {
        case 2: page(.now, "Pick", try pickPage(parts[1]))
        case 3: pickPicture(parts[1], parts[2])
        default: nil
        }
    }

    /// How many questions wait, and how much is to be picked.
    private func waitingCount() throws(Diagnostic) -> Int { try host.undecidedCount() + host.pickCount() }

    /// What an error says, to the one whose machine it is.
    static func words(_ error: Diagnostic) -> HTML { Frame.sentences(said(error)) }

    /// For the small script.
    private func stateNow() throws(Diagnostic) -> PageAnswer {
        let underWay = try countUnderWay()
        let words = underWay > 0 ? "\(Words.count(underWay, "dataflow")) now" : "nothing flows now"
        return PageAnswer(
            type: "application/json",
            body: JSONWriter.line([
                "waiting": .integer(Int64(try waitingCount())), "underWay": .integer(Int64(underWay)),
                "words": .string(words),
            ]))
    }

    // MARK: What they show

    private func now() throws(Diagnostic) -> HTML {
        var questions: [HTML] = []
        let previews = state.withLock { $0.previews }
        let (waiting, more) = Self.shown(try host.undecidedRequests())
        for (place, request) in waiting.enumerated() {
            // Counted for a moment each: an app that asks much makes nobody wait.
            let counts =
                place < 4
                ? (try? host.rowCounts(of: request.description, under: GrantLimit())) ?? [:] : [:]
            questions.append(
                QuestionView(request, counts: counts).html(
                    proof, digest: QuestionView.digest(of: request), sight: previews[request.id]))
        }
        let recent = try recent()
        return NowView(
            questions: questions, picks: try host.pickRequests().prefix(12).map(PickView.card), more: more,
            book: recent.book, underWay: try runsUnderWay(in: recent.book), isPart: recent.isPart,
            now: .now(),
            waitingForDevice: ((try? host.queue.list()) ?? []).map {
                ($0.request.app, $0.request.plugin, $0.missing.joined(separator: ", "))
            }, periodic: (try? host.timetable.list()) ?? []
        ).html
    }

    /// The questions that are shown, each app's first before any second one; and how many more wait.
    private static func shown(_ requests: [UndecidedRequest]) -> (shown: [UndecidedRequest], more: Int) {
        let most = 12
        return (Array(UndecidedRequest.inTurn(requests).prefix(most)), max(0, requests.count - most))
    }

    func grants() throws(Diagnostic) -> [(grant: Grant, end: ConsentReason?)] {
        let store = host.grants
        return try store.list().map { ($0, store.end(of: $0)) }
    }

    /// So many decisions: those that hold, then those that are over, the latest first. `shown` stand on the pages before.
    private func grantsPage(after shown: UInt64?) throws(Diagnostic) -> HTML {
        let most = 100
        let all = try grants().reversed()
        let ordered = all.filter { $0.end == nil } + all.filter { $0.end != nil }
        let first = Int(min(shown ?? 0, UInt64(ordered.count)))
        let part = ordered[first...].prefix(most)
        guard ordered.count > most else { return GrantsView(part.reversed(), proof: proof).html }
        return .all([
            Frame.sentences([
                "\(first + 1) to \(part.endIndex) of \(ordered.count) decisions: those that hold come first."
            ]), GrantsView(part.reversed(), proof: proof).html,
            part.endIndex < ordered.endIndex
                ? Frame.way(
                    "More decisions", to: Address("/grants", asking: [("before", "\(part.endIndex)")]))
                : "",
        ])
    }

    func kinds() throws(Diagnostic) -> [DataView.Kind] {
        let entries = try host.sources().entries
        return SourceKind.allCases.map { kind in
            DataView.Kind(
                word: kind.rawValue, tables: kind.tables,
                sources: entries.filter { $0.kind == kind }.map(\.path))
        }
    }

    private func dataView() throws(Diagnostic) -> DataView {
        DataView(try kinds(), grants: try grants(), book: try book())
    }

    private func rules() throws(Diagnostic) -> HTML {
        let kept = state.withLock { state in
            defer { state.trial = nil }
            return state.trial
        }
        let (text, base) = try rulesNow()
        // Rules that cannot be read are still there to be mended.
        let preferences = try? host.preferences()
        return RulesView(
            preferences, text: kept?.text ?? text, base: kept?.base ?? base, trial: kept?.trial
        ).html(proof)
    }

    private func sources() throws(Diagnostic) -> HTML {
        SourcesView(
            try host.sources().entries.map { ($0.kind.rawValue, $0.path, $0.added.iso8601) },
            kinds: SourceKind.allCases.map { ($0.rawValue, $0.accepts) }
        ).html(proof)
    }

    private func plugins() throws(Diagnostic) -> HTML {
        let store = try host.plugins()
        let now = try host.now()
        return PluginsView(
            try store.list().map { plugin in
                var manifest: Manifest?
                var problem = ""
                do throws(Diagnostic) { manifest = try store.check(plugin.id, now: now).manifest } catch {
                    problem = "\(error.code.rawValue): \(error.message)"
                }
                return PluginsView.Item(
                    id: plugin.id, version: plugin.version, installed: plugin.installed.day,
                    manifest: manifest, problem: problem)
            }
        ).html
    }
}
