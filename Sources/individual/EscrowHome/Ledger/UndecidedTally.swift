package import EscrowConsent
package import EscrowJSON
import EscrowTrust
import Synchronization

/// Requests that nobody was there to decide about, or that a rule or a standing decision settles, counted for as long as
/// one host serves.
///
/// An app can ask as often as it likes for what was never decided, or denied. With a record each it could fill the
/// ledger and the disk; so the first of a kind is recorded, then the 10th, the 100th and so on with their number, and the rest when the
/// host ends. A host that is killed leaves the last such number: at least a tenth of the truth.
package final class UndecidedTally: Sendable {
    /// What makes two requests the same for the individual.
    package struct Request: Hashable {
        package var dataflow: Dataflow
        /// What they were answered with.
        package let answer: String
    }

    private struct Count {
        /// The digest of the sheet, as it was first asked.
        var words = ""
        var all = 0
        var recorded = 0
    }

    private struct State {
        var counts: [Request: Count] = [:]
        /// Requests of more kinds than are told apart: an app can make up ever new ones.
        var others = Count()
    }

    /// The answer where nobody was there to decide.
    package static let nobody = "nobody to ask"

    /// How many kinds of requests are told apart.
    package static let kinds = 64

    private let state = Mutex(State())

    /// Nothing counted.
    package init() {}

    /// Counts a request. Returns its fields where it is to be recorded now.
    package func note(_ description: DataflowDescription, answer: String = nobody) -> JSONValue? {
        var request = Request(dataflow: description.dataflow, answer: answer)
        // Values that the app sets make no new kind: it can make up ever new ones.
        request.dataflow.arguments = [:]
        return state.withLock { state in
            if state.counts[request] != nil || state.counts.count < Self.kinds {
                var count = state.counts[request] ?? Count(words: description.wordsDigest)
                defer { state.counts[request] = count }
                return Self.next(&count) ? Self.fields(request, count) : JSONValue?.none
            }
            return Self.next(&state.others) ? Self.fields(nil, state.others) : JSONValue?.none
        }
    }

    /// The fields of what was counted and is not recorded yet.
    package func rest() -> [JSONValue] {
        state.withLock { state in
            var rest: [JSONValue] = []
            for (request, count) in state.counts where count.all > count.recorded {
                rest.append(Self.fields(request, count))
                state.counts[request]?.recorded = count.all
            }
            if state.others.all > state.others.recorded { rest.append(Self.fields(nil, state.others)) }
            state.others.recorded = state.others.all
            return rest
        }
    }

    /// One more; true at 1, 10, 100 and so on.
    private static func next(_ count: inout Count) -> Bool {
        count.all += 1
        guard count.all >= max(1, count.recorded * 10) else { return false }
        count.recorded = count.all
        return true
    }

    private static func fields(_ request: Request?, _ count: Count) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = []
        if let request {
            members = [
                ("app", .string(request.dataflow.app)), ("plugin", .string(request.dataflow.plugin.id)),
                ("version", .string(request.dataflow.plugin.version)),
            ]
        } else {
            members = [("others", .string("requests of more than \(kinds) kinds, by one app"))]
        }
        members.append(("answer", .string(request?.answer ?? nobody)))
        if let request {
            members += [("dataflow", .string(request.dataflow.digest)), ("words", .string(count.words))]
        }
        if count.all > 1 { members.append(("times", .integer(Int64(count.all)))) }
        return .object(members)
    }
}

extension DataflowDescription {
    /// A digest of the exact words of the sheet, a line end after each line: by it the ledger shows what was asked.
    package var wordsDigest: String {
        var words = self
        words.dataflow.arguments = [:]
        let exact = ExactWords(words)
        return Self.wordsDigests.output(for: exact) {
            "sha256:\(Digest(of: Array(exact.description.explain().map { $0 + "\n" }.joined().utf8)))"
        }
    }

    private static let wordsDigests = Recent<ExactWords, String>()
}

/// A description, and byte for byte the words in it that no manifest's digest stands for: texts are equal in Swift where they
/// only look the same, and an app chooses its own.
private struct ExactWords: Equatable {
    let description: DataflowDescription
    let free: [UInt8]

    init(_ description: DataflowDescription) {
        self.description = description
        let texts =
            [description.appWords, description.zone, description.leaves] + description.rules
            + description.warnings + description.alarms
        free = Array(texts.joined(separator: "\n").utf8)
    }
}
