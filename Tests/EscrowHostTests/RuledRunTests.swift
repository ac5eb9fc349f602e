import Dispatch
import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowLedger
import Glibc
import Synchronization
import TemporaryFolder
import Testing

@testable import EscrowHome
@testable import EscrowHost

/// A home in which the sample `data-copy` may run, with rules, restrictions and a device that a file stands for.
struct RuledHome {
    static let app = "org.example.notes"
    static let plugged = #"{"charging": true, "battery": 40}"#
    static let unplugged = #"{"charging": false, "battery": 40}"#
    static let request = RunRequest(app: app, plugin: "data-copy")

    let scratch: TemporaryFolder
    let home: Home
    let host: EscrowHost.Host

    init(_ rules: String, more: String = "", device: String = "{}", isAllowed: Bool = true) throws {
        scratch = try TemporaryFolder("escrow-ruled")
        home = try Home.create(at: scratch.path + "/home")
        try KeptPlugin.keep(in: home)
        try SecureFile.replace(
            home.path + "/config.json",
            with: Array(#"{"device": {"standIn": "\#(scratch.path)/device.json"}}"#.utf8))
        host = try EscrowHost.Host(home: home)
        try tell(device)
        if isAllowed { _ = try host.allow(try dataflow(), GrantTerms(reason: .settings)) }
        try prefer(rules, more: more)
    }

    func dataflow(_ app: String = app) throws -> DataflowDescription {
        try host.dataflow(app: app, plugin: "data-copy", sql: nil, reads: [], uses: [])
    }

    /// What the device says of itself from now on.
    func tell(_ device: String) throws {
        try SecureFile.replace(scratch.path + "/device.json", with: Array(device.utf8))
    }

    func prefer(_ rules: String, more: String = "") throws {
        try SecureFile.replace(
            home.preferencesPath,
            with: Array(#"{"escrow-preferences": 1, \#(more)"rules": [\#(rules)]}"#.utf8))
    }

    /// Why it does not run; nil where it does.
    func refusal(of request: RunRequest = request) -> Diagnostic? {
        do throws(Diagnostic) { _ = try Runner(host: host).run(request) } catch { return error }
        return nil
    }

    /// The fields of all records of a kind.
    func records(_ kind: LedgerEntry.Kind) throws -> [JSONValue] {
        try host.ledgerReader().latest(1_000).filter { $0.kind == kind }.map(\.fields)
    }

    /// A document that somebody with a home of their own signs.
    func signed(
        _ rules: String, by stranger: String = "guardian", sequence: Int64 = 1, isRemoved: Bool = false
    ) throws -> [UInt8] {
        let place = scratch.path + "/" + stranger
        let other = try access(place, F_OK) == 0 ? Home.open(at: place) : Home.create(at: place)
        let text = #"{"id": "school", "class": "parental", "setBy": "Mum and Dad", "rules": [\#(rules)]}"#
        return try Restriction.sign(
            Array(text.utf8), with: other.path + "/host.key", sequence: sequence, isRemoved: isRemoved,
            file: "author")
    }
}

/// What rules let run, refuse or make wait.
@Suite struct RuledRunTests {
    @Test func aPermitAloneLeavesTheQuestionToTheIndividual() throws {
        let ruled = try RuledHome(#"{"id": "own", "effect": "permit"}"#, isAllowed: false)
        #expect(ruled.refusal()?.code == .undecided)
        let plan = try Runner(host: ruled.host).plan(RuledHome.request)
        #expect(plan.description.rules == ["permitted by own, which leaves the question to you"])
    }

    @Test func whereNobodyIsToBeAskedWhatNoRulePermitsIsDenied() throws {
        let ruled = try RuledHome("", more: #""unmatched": "deny", "#, isAllowed: false)
        #expect(ruled.refusal()?.code == .noRulePermits)
        _ = try ruled.host.allow(try ruled.dataflow(), GrantTerms(reason: .settings))
        #expect(ruled.refusal() == nil)
    }

    @Test func whatAnAppUsedTodayIsCountedOutOfTheLedger() throws {
        stayWithinADay()
        func rules(_ bytes: Int64) -> String {
            #"{"id": "little", "effect": "require", "needs": {"bytesToday": {"atMost": \#(bytes)}}, "missing": "refuse"}"#
        }
        let ruled = try RuledHome(rules(1 << 20))
        #expect(ruled.refusal() == nil)
        let used = try #require(try ruled.records(.runEnd).first?["resultBytes"]?.integer)
        // Nothing is left, so the next one does not begin.
        try ruled.prefer(rules(used))
        let second = try #require(ruled.refusal())
        #expect(second.code == .refusedForNow)
        #expect(second.notes.contains("it must have: the bytes of today at most \(used)"))
        // Another app has used nothing yet.
        let other = "org.example.other"
        _ = try ruled.host.allow(try ruled.dataflow(other), GrantTerms(reason: .settings))
        #expect(ruled.refusal(of: RunRequest(app: other, plugin: "data-copy")) == nil)
    }

    /// A day's allowance is not had anew by erasing what was used of it.
    @Test func whatWasErasedTodayIsNotUnused() throws {
        stayWithinADay()
        func rules(_ bytes: Int64) -> String {
            #"{"id": "day", "effect": "forbid", "when": {"bytesToday": {"atLeast": \#(bytes)}}}"#
        }
        let ruled = try RuledHome(rules(1 << 20))
        #expect(ruled.refusal() == nil)
        let used = try #require(try ruled.records(.runEnd).first?["resultBytes"]?.integer)
        try ruled.prefer(rules(used + 1))
        #expect(ruled.refusal()?.code == .ruleForbids)
        let entries = try ruled.host.ledgerReader().latest(1_000)
        let run = try #require(entries.first { $0.kind == .runIntent }?.run)
        _ = try ruled.host.erase(SequenceSet(entries.filter { $0.run == run }.map(\.sequence)))
        #expect(ruled.refusal()?.code == .ruleForbids)
    }

    // MARK: What others set

    /// The trust zone is the individual's own, so a restriction about what leaves it looks at the device alone.
    @Test func theIndividualsTrustZoneLiftsNoRestriction() throws {
        let ruled = try RuledHome("", more: #""trustZone": {"apps": ["\#(RuledHome.app)"]}, "#)
        #expect(ruled.refusal() == nil)
        let file = try ruled.signed(#"{"id": "home", "effect": "forbid", "when": {"crosses": true}}"#)
        _ = try ruled.host.addRestriction(file, file: "r")
        #expect(ruled.refusal()?.code == .restricted)
    }

    private static let forbid =
        #"{"id": "no-copies", "effect": "forbid", "when": {"purpose": ["data-copy"]}}"#

    @Test func onlyWhoSetARestrictionTakesItBack() throws {
        let ruled = try RuledHome("")
        let first = try ruled.signed(Self.forbid)
        _ = try ruled.host.addRestriction(first, file: "r")
        // By another key, and by a file whose signature is broken.
        let foreign = try ruled.signed(Self.forbid, by: "stranger", sequence: 2, isRemoved: true)
        #expect(throws: Diagnostic(.restrictionOfAnother, "")) {
            try ruled.host.addRestriction(foreign, file: "r")
        }
        let removal = try ruled.signed(Self.forbid, sequence: 2, isRemoved: true)
        let broken = String(decoding: removal, as: UTF8.self).replacing("\"sig\":\"", with: "\"sig\":\"AAAA")
        #expect(throws: Diagnostic.self) { try ruled.host.addRestriction(Array(broken.utf8), file: "r") }
        #expect(ruled.refusal()?.code == .restricted)
        #expect(try ruled.host.addRestriction(removal, file: "r").isRemoved)
        #expect(ruled.refusal() == nil)
        // What was taken back is not put back by its old file.
        #expect(throws: Diagnostic(.notARestriction, "")) { try ruled.host.addRestriction(first, file: "r") }
    }

    @Test func aRestrictionThatIsDeletedOrPutBackStopsEveryRun() throws {
        let ruled = try RuledHome("")
        let first = try ruled.signed(
            #"{"id": "x", "effect": "forbid", "when": {"table": ["Photos"]}}"#)
        _ = try ruled.host.addRestriction(first, file: "r")
        #expect(ruled.refusal() == nil)
        _ = try ruled.host.addRestriction(try ruled.signed(Self.forbid, sequence: 2), file: "r")
        #expect(ruled.refusal()?.code == .restricted)
        let kept = ruled.home.restrictionsPath + "/school.dsse.json"
        try #require(unlink(kept) == 0)
        #expect(ruled.refusal()?.code == .restrictionUntrusted)
        try SecureFile.replace(kept, with: first)
        let putBack = try #require(ruled.refusal())
        #expect("\(putBack.message) \(putBack.notes)".contains("it is not the version that was added"))
        // Whoever owns the files can delete them all; the ledger still knows.
        for name in try Folder.names(ruled.home.restrictionsPath) {
            try #require(unlink(ruled.home.restrictionsPath + "/" + name) == 0)
        }
        #expect(ruled.refusal() == nil)
        #expect(try ruled.host.lostRestrictions() == ["school"])
    }
}

/// What is decided waits for what the device must have, and then runs once.
@Suite(.timeLimit(.minutes(60))) struct WaitingForDeviceTests {
    static let wait =
        #"{"id": "heavy", "effect": "require", "needs": {"charging": true}, "missing": "wait"}"#

    /// A run that stays, on a thread of its own.
    private final class Staying: Sendable {
        private let end = Mutex<Result<RunResult, Diagnostic>?>(nil)
        private let group = DispatchGroup()

        init(_ host: EscrowHost.Host) {
            group.enter()
            DispatchQueue.global().async { [self] in
                let outcome = Result { () throws(Diagnostic) in
                    try Runner(host: host, patience: .stay).run(RuledHome.request)
                }
                end.withLock { $0 = outcome }
                group.leave()
            }
        }

        func outcome() -> Result<RunResult, Diagnostic>? {
            group.wait()
            return end.withLock { $0 }
        }
    }

    /// The id of what is held, once something is.
    private func held(_ host: EscrowHost.Host) throws -> String {
        while true {
            if let entry = try host.queue.list().first, entry.isHeld { return entry.id }
            sched_yield()
        }
    }

    @Test(arguments: [
        (RuledHome.unplugged, "it must have: external power"),
        ("{}", "it must have: external power (this device does not tell)"),
    ])
    func itSaysWhatTheDeviceMustHave(device: String, note: String) throws {
        let ruled = try RuledHome(Self.wait, device: device)
        let waits = try #require(ruled.refusal())
        #expect(waits.code == .waits && waits.message == "this dataflow waits, by your rule heavy")
        #expect(waits.notes.contains(note))
        // The same request waits once.
        #expect(ruled.refusal()?.code == .waits)
        #expect(try ruled.host.queue.list().count == 1)
        #expect(try ruled.records(.runIntent).isEmpty)
    }

    @Test func aRestrictionCanLetItWait() throws {
        let ruled = try RuledHome("", device: RuledHome.unplugged)
        _ = try ruled.host.addRestriction(try ruled.signed(Self.wait), file: "r")
        let waits = try #require(ruled.refusal())
        #expect(waits.message == "this dataflow waits, by Mum and Dad (parental, school)")
        #expect(waits.notes.contains("it must have: external power"))
    }

    @Test func aRequirementThatRefusesDoesNotQueue() throws {
        let ruled = try RuledHome(
            Self.wait.replacing("\"wait\"", with: "\"refuse\""), device: RuledHome.unplugged)
        let refused = try #require(ruled.refusal())
        #expect(refused.code == .refusedForNow && refused.notes.contains("it must have: external power"))
        #expect(try ruled.host.queue.list().isEmpty)
    }

    @Test func whatNobodyDecidedDoesNotWait() throws {
        let ruled = try RuledHome(Self.wait, device: RuledHome.unplugged, isAllowed: false)
        #expect(ruled.refusal()?.code == .undecided)
        #expect(try ruled.host.queue.list().isEmpty)
    }

    @Test func aGrantThatIsRevokedMeanwhileIsRevoked() throws {
        let ruled = try RuledHome(Self.wait, device: RuledHome.unplugged)
        #expect(ruled.refusal()?.code == .waits)
        _ = try ruled.host.revokeGrant(try #require(try ruled.host.grants.list().first?.id))
        try ruled.tell(RuledHome.plugged)
        let waiting = try #require(try ruled.host.queue.list().first)
        #expect(ruled.refusal(of: waiting.request)?.code == .undecided)
        #expect(try ruled.records(.runIntent).isEmpty)
    }

    @Test func aQueueThatCannotBeReadIsNamed() throws {
        let ruled = try RuledHome(Self.wait, device: RuledHome.unplugged)
        try SecureFile.replace(ruled.home.queuePath, with: Array("[]".utf8))
        #expect(ruled.refusal()?.code == .queueUnreadable)
    }

    @Test func aRunThatStaysGoesOnByItself() throws {
        let ruled = try RuledHome(Self.wait, device: RuledHome.unplugged)
        let run = Staying(ruled.host)
        _ = try held(ruled.host)
        try ruled.tell(RuledHome.plugged)
        #expect(try run.outcome()?.get().columns == ["givenName", "familyName", "phoneNumber"])
        #expect(try ruled.host.queue.list().isEmpty)
        #expect(try ruled.records(.runIntent).count == 1)
    }

    /// Whoever takes it out of the queue, the run that stayed for it has it no more.
    @Test func aRunThatStaysEndsWhereItsEntryIsLetGo() throws {
        let ruled = try RuledHome(Self.wait, device: RuledHome.unplugged)
        let run = Staying(ruled.host)
        try ruled.host.queue.drop(try held(ruled.host))
        try ruled.tell(RuledHome.plugged)
        #expect(throws: Diagnostic(.begunElsewhere, "")) { try run.outcome()?.get() }
        #expect(try ruled.records(.runIntent).isEmpty)
    }

    /// A plugin is judged by the trust of the moment in which it runs.
    @Test func aRunThatStaysEndsWhereItsPluginIsRemoved() throws {
        let ruled = try RuledHome(Self.wait, device: RuledHome.unplugged)
        let run = Staying(ruled.host)
        _ = try held(ruled.host)
        _ = try ruled.host.removePlugin("data-copy")
        try ruled.tell(RuledHome.plugged)
        #expect(throws: Diagnostic.self) { try run.outcome()?.get() }
        #expect(try ruled.records(.runIntent).isEmpty)
    }
}
