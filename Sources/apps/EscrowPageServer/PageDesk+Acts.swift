import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowLedger
import EscrowPage
import EscrowQuestion
import EscrowSources
import EscrowTableKit
import EscrowTrust
import Synchronization

extension PageDesk {
    /// Does what a form asks for, then shows the page again: by GET, so that a reload does nothing twice.
    func act(at path: String, _ form: FormBody) -> PageAnswer {
        do throws(Diagnostic) {
            switch path {
            case "/answer": return try answer(form)
            case "/pick": return try pick(form)
            case "/less": return try less(form)
            case "/preview": return try preview(form)
            case "/grants/change": return try changeGrant(form)
            case "/rules/try": return try tryRules(form)
            case "/rules/save": return try saveRules(form)
            case "/ledger/verify": return try verify()
            case "/places/live": return done(try decideLive(form), Address("/places"))
            case "/sources/add": return try addSource(form)
            case "/sources/remove": return try removeSource(form)
            default: return .refused(.noForm)
            }
        } catch {
            return done(
                "Not done: \(Self.said(error).joined(separator: "; ")).", Self.back(from: path, form),
                isFailure: true)
        }
    }

    func done(_ words: String, _ address: Address, isFailure: Bool = false) -> PageAnswer {
        state.withLock { $0.notice = Frame.Notice(words, isFailure: isFailure) }
        return .see(address)
    }

    static func back(from path: String, _ form: FormBody) -> Address {
        if path == "/pick" { return Address("/pick", form["id"] ?? "") }
        if path.hasPrefix("/rules") { return Address("/rules") }
        if path.hasPrefix("/places") { return Address("/places") }
        if path.hasPrefix("/sources") { return Address("/sources") }
        if path.hasPrefix("/ledger") { return Address("/ledger") }
        guard path.hasPrefix("/grants") else { return Address("/") }
        let back = form["back"] ?? ""
        return back.hasPrefix("/data/")
            ? Address("/data", String(back.dropFirst("/data/".count))) : Address("/grants")
    }

    // MARK: Questions

    /// The question that a form is about, if it still is the one that was shown.
    private func request(_ form: FormBody) throws(Diagnostic) -> UndecidedRequest {
        let id = form["id"] ?? ""
        guard let request = try host.undecidedRequests().first(where: { $0.id == id }) else {
            throw Diagnostic(.nothingWaits, "that question waits no more")
        }
        guard form["seen"] == QuestionView.digest(of: request) else {
            throw Diagnostic(
                .questionChanged, "the question is another now than the one you saw: look at it again")
        }
        return request
    }

    private func answer(_ form: FormBody) throws(Diagnostic) -> PageAnswer {
        let request = try request(form)
        guard let answer = ConsentAnswer(form["answer"] ?? ""), answer != .preview else {
            throw Diagnostic(.answerUnclear, "that is no answer, so nothing is decided")
        }
        guard answer != .denyAsEmpty || !request.description.sends else {
            throw Diagnostic(.answerUnclear, "it sends: it cannot be denied as if there were no data")
        }
        return try settle(request, answer)
    }

    private func settle(_ request: UndecidedRequest, _ answer: ConsentAnswer) throws(Diagnostic) -> PageAnswer
    {
        let grant = try host.settle(request, answer)
        _ = state.withLock { $0.previews.removeValue(forKey: request.id) }
        let words =
            switch grant {
            case let grant? where grant.state == .denied: "Denied, \(grant.duration)."
            case let grant?: "\(grant.limit == nil ? "Allowed" : "Allowed for less"), \(grant.duration)."
            case nil: "No, for this time."
            }
        return done(words, Address("/"))
    }

    /// A yes to less, spelled as at a terminal, so that both read it the same.
    private func less(_ form: FormBody) throws(Diagnostic) -> PageAnswer {
        let request = try request(form)
        let reads = request.description.reads
        var parts: [String] = []
        for place in form.all("without") {
            let numbers = place.split(separator: ".").compactMap { Int($0) }
            guard numbers.count == 2, reads.indices.contains(numbers[0]) else { continue }
            let columns = reads[numbers[0]].returned + reads[numbers[0]].used
            guard columns.indices.contains(numbers[1]) else { continue }
            parts.append("without \(reads[numbers[0]].table).\(columns[numbers[1]])")
        }
        for (index, use) in reads.enumerated() {
            if let first = form["first\(index)"], !first.isEmpty {
                parts.append("first \(use.table)=\(first)")
            }
            if let condition = form["where\(index)"], !condition.isEmpty {
                // A semicolon would begin another part.
                guard !condition.contains(";") else {
                    throw Diagnostic(.answerUnclear, "a condition has no semicolon")
                }
                parts.append("where \(use.table): \(condition)")
            }
        }
        let word = form["answer"] ?? ""
        guard ["once", "today", "always"].contains(word),
            let answer = ConsentAnswer.limit(
                typed: "limit \(word) \(parts.joined(separator: "; "))", for: request.description)
        else { throw Diagnostic(.answerUnclear, "nothing is left out, or not so that it can be understood") }
        return try settle(request, answer)
    }

    private func preview(_ form: FormBody) throws(Diagnostic) -> PageAnswer {
        let request = try request(form)
        let sight = QuestionView.Sight(
            try host.preview(request), at: .now(), digest: QuestionView.digest(of: request))
        state.withLock { state in
            // What nobody decides about is not kept for ever.
            if state.previews.count >= 16 { state.previews.removeAll() }
            state.previews[request.id] = sight
        }
        return done("It was computed for your eyes alone; nothing was handed over.", Address("/"))
    }

    // MARK: Rules

    /// The rules as they lie there, and what they are known by.
    func rulesNow() throws(Diagnostic) -> (text: String, base: String) {
        let bytes = try rulesFile.read()
        let text = bytes.map { String(decoding: $0, as: UTF8.self) }
        return (
            text ?? "{ \"escrow-preferences\": 1,\n  \"rules\": [\n  ] }\n",
            bytes.map { Digest(of: $0).hexadecimal } ?? "none"
        )
    }

    private var rulesFile: StoreFile {
        StoreFile(host.home.preferencesPath, limit: Preferences.maximumBytes, help: "make it shorter")
    }

    /// What was typed. Forms send line ends of their own.
    private static func typed(_ form: FormBody) -> String {
        (form["rules"] ?? "").replacing("\r\n", with: "\n")
    }

    private func tryRules(_ form: FormBody) throws(Diagnostic) -> PageAnswer {
        let text = Self.typed(form)
        let base = form["base"] ?? ""
        let trial: RulesView.Trial
        do throws(Diagnostic) {
            let preferences = try Preferences.parse(Array(text.utf8), file: "rules")
            let findings = preferences.check(against: try host.catalogue()).map(\.message)
            let digest = Digest(of: Array(text.utf8)).hexadecimal
            trial = .tried(
                try host.ledgerReader().replay(.whole(preferences), before: try host.preferences()),
                findings: findings, digest: digest)
            state.withLock { state in
                if state.tried.count >= 64 { state.tried.removeAll() }
                state.tried.insert(digest)
            }
        } catch {
            trial = .refused(error.description)
        }
        state.withLock { $0.trial = (text, base, trial) }
        return .see(Address("/rules"))
    }

    private func saveRules(_ form: FormBody) throws(Diagnostic) -> PageAnswer {
        let bytes = Array(Self.typed(form).utf8)
        let digest = Digest(of: bytes).hexadecimal
        guard state.withLock({ $0.tried.contains(digest) }) else {
            throw Diagnostic(.rulesNotTried, "these rules were not held against the past yet: try them first")
        }
        guard form["base"] == (try rulesNow().base) else {
            throw Diagnostic(
                .rulesNotTried, "the rules were changed elsewhere in the meantime: look at them again")
        }
        try rulesFile.replace(with: bytes) { (bytes) throws(Diagnostic) in
            _ = try Preferences.parse(bytes, file: "rules")
        }
        return done("Kept: they hold from the next run on.", Address("/rules"))
    }

    // MARK: Ledger and sources

    private func verify() throws(Diagnostic) -> PageAnswer {
        let report = try host.ledgerReader().verify()
        var words = [
            "\(report.count) entries, from \(Words.time(report.firstTime)) to \(Words.time(report.signedAt)) UTC: each is as it was written, and none is missing unsaid.",
            "The root is \(report.root), signed by \(report.keyID).",
        ]
        let missing = report.missing
        if missing.erased + missing.decayed + missing.compacted + missing.lost > 0 {
            words.append(
                "Content is gone, as the ledger says: \(missing.erased) erased, \(missing.decayed) with less detail, \(missing.compacted) dropped, \(missing.lost) lost."
            )
        }
        state.withLock { $0.verdict = words }
        return .see(Address("/ledger"))
    }

    private func addSource(_ form: FormBody) throws(Diagnostic) -> PageAnswer {
        let path = form["path"] ?? ""
        guard path.hasPrefix("/") else {
            throw Diagnostic(.pathNotWhole, "a file or folder is named from the root, /home/…")
        }
        let entry = try host.addSource(kind: form["kind"] ?? "", path: path)
        return done("Added: \(entry.kind.rawValue).", Address("/sources"))
    }

    private func removeSource(_ form: FormBody) throws(Diagnostic) -> PageAnswer {
        let entry = try host.removeSource(kind: form["kind"] ?? "", path: form["path"] ?? "")
        return done("Forgotten: \(entry.kind.rawValue). The files are untouched.", Address("/sources"))
    }
}

extension Grant {
    /// How long it holds, as it is told once it is decided.
    fileprivate var duration: String {
        scope == .always ? "until you take it back" : scope.words(used: useCount)
    }
}
