/// One member's side of the protocol, without input, output or a clock of its own: each call is told the time, changes the
/// state, and says what to hand to the app and what to send. Keep the state durably before anything of a step is sent: a
/// member that forgets which numbers it gave would give them twice.
public struct Member: Sendable, Equatable, Codable {
    /// Who a member is, as its messages say it.
    public struct Profile: Sendable, Equatable, Codable {
        public let id: String
        public let email: String
        public let name: String

        public init(id: String, email: String, name: String) {
            self.id = id
            self.email = email
            self.name = name
        }
    }

    /// What follows from a call, in this order.
    public struct Step: Sendable, Equatable {
        /// Updates and deletions that are new here, in the order of their arrival.
        public var delivered: [Message] = []
        public var sent: [Message] = []
    }

    public let profile: Profile
    /// How long servers keep a message, in milliseconds; a confirm goes out once in it.
    public let timeToLive: Int64
    /// How long what was asked for may take before it is asked for again.
    public let pause: Int64
    private var newest: UInt64 = 0
    /// Own messages that some member did not confirm yet.
    private var kept: [UInt64: Message] = [:]
    /// Up to where each other member confirmed this one's messages.
    private var confirmed: [String: UInt64]
    private var received: [String: Received]
    private var lastConfirm: Int64?

    /// - Parameter others: the other members, each with the number up to which its messages are already in this member's data:
    ///   0 in a new group, and what the owner had of them for a member that joins with a copy of the owner's data.
    public init(_ profile: Profile, others: [String: UInt64], timeToLive: Int64, pause: Int64) {
        self.profile = profile
        self.timeToLive = timeToLive
        self.pause = pause
        let others = others.filter { $0.key != profile.id }
        confirmed = others.mapValues { _ in 0 }
        received = others.mapValues { Received(upTo: $0) }
    }

    /// How many own messages are kept for those who may still ask.
    public var keptCount: Int { kept.count }
    /// Up to where everybody's messages are here without a gap, this member's own included.
    public var have: [String: UInt64] {
        received.mapValues(\.contiguous).merging([profile.id: newest]) { $1 }
    }

    /// Somebody joined, and numbers messages from 1.
    ///
    /// - Parameter having: up to where this member's messages are in the data that they were given.
    public mutating func add(_ member: String, having number: UInt64) {
        guard member != profile.id, received[member] == nil else { return }
        received[member] = Received(upTo: 0)
        confirmed[member] = min(number, newest)
    }

    /// The other members.
    public var others: Set<String> { Set(received.keys) }

    /// Somebody left: nothing waits for their confirms any more, and nothing of theirs is taken.
    public mutating func remove(_ member: String) {
        received[member] = nil
        confirmed[member] = nil
        forget()
    }

    /// An object as the app's synchronisation wrote it, for everybody.
    public mutating func update(_ objectClass: String, _ objectId: String, _ object: String, at now: Int64)
        -> Step
    {
        number(.update(object), objectClass, objectId, now)
    }

    /// An object is to go. Sent before it is removed here: a stop between the two leaves one that can be deleted again.
    public mutating func delete(_ objectClass: String, _ objectId: String, _ content: String, at now: Int64)
        -> Step
    {
        number(.delete(content), objectClass, objectId, now)
    }

    private mutating func number(
        _ content: Message.Content, _ objectClass: String, _ objectId: String, _ now: Int64
    ) -> Step {
        newest += 1
        let message = message(content, newest, objectClass, objectId, to: .everybody, now)
        kept[newest] = message
        forget()
        return Step(sent: [message])
    }

    /// Says what was given and what is here: on coming online, and by ``tick(at:)`` once in the time to live.
    public mutating func confirm(at now: Int64) -> Step {
        lastConfirm = now
        let have = received.mapValues(\.contiguous)
        return Step(sent: [
            message(.confirm(newest: newest, have: have), 0, "", "", to: .everybody, now)
        ])
    }

    /// What is due: the confirm, and gaps that are still there.
    public mutating func tick(at now: Int64) -> Step {
        var step = Step()
        if lastConfirm.map({ now < $0 || now - $0 >= timeToLive }) ?? true { step = confirm(at: now) }
        for sender in received.keys.sorted() { ask(sender, now, &step) }
        return step
    }

    /// A message whose sender was checked. What comes twice, late, in any order or from strangers changes nothing.
    public mutating func receive(_ message: Message, at now: Int64) -> Step {
        var step = Step()
        let sender = message.senderId
        guard received[sender] != nil, message.receiverId.include(profile.id) else { return step }
        switch message.content {
        case .update, .delete:
            if received[sender]?.take(message.sequence) == true { step.delivered.append(message) }
            ask(sender, now, &step)
        case .confirm(let newest, let have):
            received[sender]?.announce(newest)
            if let number = have[profile.id] {
                // Nobody has what was not given, and nobody takes a confirm back.
                confirmed[sender] = max(confirmed[sender] ?? 0, min(number, self.newest))
                forget()
            }
            ask(sender, now, &step)
        case .resend(let range):
            // Held to what exists before it is walked: a range can say anything.
            let end = min(range.upperBound, newest)
            guard range.lowerBound <= end else { return step }
            for number in range.lowerBound...min(end, range.lowerBound + Received.most - 1) {
                guard var again = kept[number] else { continue }
                again.receiverId = .some([sender])
                step.sent.append(again)
            }
        }
        return step
    }

    private mutating func ask(_ sender: String, _ now: Int64, _ step: inout Step) {
        guard let range = received[sender]?.ask(at: now, pause: pause) else { return }
        step.sent.append(message(.resend(range), 0, "", "", to: .some([sender]), now))
    }

    /// The state without the messages that are kept, and those: for a store that writes only what changed.
    public func parted() -> (state: Member, kept: [UInt64: Message]) {
        var state = self
        state.kept = [:]
        return (state, kept)
    }

    /// Puts together what ``parted()`` took apart.
    public init(_ state: Member, kept: [UInt64: Message]) {
        self = state
        self.kept = kept
    }

    /// Drops own messages that every other member confirmed.
    private mutating func forget() {
        guard !kept.isEmpty else { return }
        let all = confirmed.values.min() ?? newest
        kept = kept.filter { $0.key > all }
    }

    private func message(
        _ content: Message.Content, _ sequence: UInt64, _ objectClass: String, _ objectId: String,
        to receivers: Message.Receivers, _ now: Int64
    ) -> Message {
        Message(
            content: content, sequence: sequence, objectClass: objectClass, objectId: objectId,
            receiverId: receivers, senderId: profile.id, email: profile.email, name: profile.name,
            sentTime: now)
    }
}
