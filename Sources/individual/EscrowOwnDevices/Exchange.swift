public import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
public import EscrowHome
public import EscrowIdentity
import EscrowJSON

/// What this home and the group of the individual's devices tell each other: decisions, rules, restrictions, identifiers, and
/// heads of ledgers. It speaks with nobody: the group's objects are given to it, and it says what to do to them.
///
/// Each thing is compared with what both agreed on last. What changed on one side goes to the other; where both changed, what the
/// group has stands. Decisions never change, they come and go: a denial that is on any device is on all, and wins there over
/// whatever was allowed.
public struct Exchange {
    private let home: Home
    private let shelves: [any Shelf]
    private let seconds: UInt64

    /// - Parameter seconds: now, since 1970.
    public init(
        _ home: Home, _ grants: GrantStore, _ restrictions: RestrictionStore, _ identifiers: IdentifierStore,
        at seconds: UInt64
    ) {
        self.home = home
        self.seconds = seconds
        shelves = [
            DecisionShelf(store: grants), RuleShelf(path: home.preferencesPath),
            RestrictionShelf(store: restrictions), IdentifierShelf(store: identifiers),
        ]
    }

    /// The same as ``exchange(_:)`` for whoever has no use for a part of it.
    public func run(_ objects: [SharedObject]) throws(Diagnostic) -> [ExchangeStep] {
        let outcome = try exchange(objects)
        if let failure = outcome.failure { throw failure }
        return outcome.steps
    }

    /// Takes what the other devices said, and says what they are to know. Two at a time would undo each other: a lock is held.
    /// Each part by itself: a rule that cannot be read keeps no denial from going out.
    public func exchange(_ objects: [SharedObject]) throws(Diagnostic) -> ExchangeOutcome {
        let lock = try FileLock.acquire(home.path + "/devices.lock")
        defer { withExtendedLifetime(lock) {} }
        var memory = try DeviceMemory.load(home.path)
        let before = memory
        var outcome = ExchangeOutcome()
        for shelf in shelves {
            let group = objects.filter { $0.kind == shelf.kind }
            do throws(Diagnostic) { try Self.merge(shelf, group, &memory.agreed, &outcome) } catch {
                outcome.failure = outcome.failure ?? error
            }
        }
        do throws(Diagnostic) {
            outcome.steps += try HeadExchange(home: home, seconds: seconds).run(objects, &memory)
        } catch {
            outcome.failure = outcome.failure ?? error
        }
        if memory != before { try memory.save(home.path) }
        return outcome
    }

    static func merge(
        _ shelf: some Shelf, _ objects: [SharedObject], _ agreed: inout [String: String],
        _ outcome: inout ExchangeOutcome
    ) throws(Diagnostic) {
        let here = try shelf.values()
        let there = Dictionary(objects.map { ($0.id, $0.value) }) { first, _ in first }
        let prefix = shelf.kind.rawValue + "/"
        var coming: [String: JSONValue] = [:]
        var going: Set<String> = []
        let known = agreed.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        func text(_ value: JSONValue?) -> String? {
            value.map { shelf.isFixed ? "" : String(decoding: JSONWriter.line($0), as: UTF8.self) }
        }
        for id in Set(here.keys).union(there.keys).union(known).sorted() {
            let (mine, theirs, before) = (text(here[id]), text(there[id]), agreed[prefix + id])
            if mine == theirs {
                // Agreed, or gone on both sides.
                agreed[prefix + id] = mine
            } else if let value = here[id], theirs == nil {
                if before == mine {
                    going.insert(id)
                } else if value != .null {
                    outcome.steps.append(.update(SharedObject(shelf.kind, id, value)))
                }
            } else if let value = there[id], mine == nil {
                // Taken back here; what changed there since is another thing.
                if before == theirs {
                    outcome.steps.append(.delete(shelf.kind, id))
                } else {
                    coming[id] = value
                }
            } else if let value = here[id], before == theirs {
                outcome.steps.append(.update(SharedObject(shelf.kind, id, value)))
            } else {
                coming[id] = there[id]
            }
        }
        // What comes first: a denial holds before what it replaces goes.
        let taken = coming.isEmpty ? Taken() : shelf.put(coming)
        outcome.refused += taken.refused.sorted { $0.key < $1.key }.map {
            .init(kind: shelf.kind, id: $0.key, why: $0.value)
        }
        for id in taken.ids { agreed[prefix + id] = text(there[id]) }
        if let failure = taken.failure { throw failure }
        if !going.isEmpty { try shelf.remove(going) }
        for id in going { agreed[prefix + id] = nil }
        let count = taken.ids.count + going.count
        if count > 0 { outcome.steps.append(.took(shelf.kind, count)) }
    }
}
