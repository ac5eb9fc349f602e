@testable import EscrowGroup

/// Algorithm 1 as the thesis prints it, to show what is wrong with it: `lastMsg` is the message that came last.
struct PrintedMember {
    let id: String
    var own: [UInt64: Message] = [:]
    var last: [String: UInt64] = [:]
    var history: [String: Set<UInt64>] = [:]

    mutating func update(at now: Int64) -> Message {
        let number = UInt64(own.count) + 1
        let message = make(.update("x"), number, .everybody, now)
        own[number] = message
        return message
    }

    func confirm(at now: Int64) -> Message {
        make(.confirm(newest: UInt64(own.count), have: [:]), 0, .everybody, now)
    }

    mutating func receive(_ message: Message, at now: Int64) -> [Message] {
        let sender = message.senderId
        guard sender != id, message.receiverId.include(id) else { return [] }
        var sent: [Message] = []
        let last = self.last[sender] ?? 0
        func ask(_ end: UInt64) {
            guard last + 1 <= end else { return }
            sent.append(make(.resend(last + 1...end), 0, .some([sender]), now))
        }
        if message.sequence != 0 {
            guard history[sender, default: []].insert(message.sequence).inserted else { return [] }
            self.last[sender] = message.sequence
            if last + 1 != message.sequence { ask(message.sequence) }
        }
        switch message.content {
        case .update, .delete: break
        case .confirm(let newest, _): ask(newest)
        case .resend(let range):
            for number in range {
                guard var again = own[number] else { continue }
                again.receiverId = .some([sender])
                sent.append(again)
            }
        }
        return sent
    }

    private func make(_ content: Message.Content, _ number: UInt64, _ to: Message.Receivers, _ now: Int64)
        -> Message
    {
        Message(
            content: content, sequence: number, objectClass: number == 0 ? "" : "Record",
            objectId: number == 0 ? "" : "\(id)\(number)", receiverId: to, senderId: id, email: "", name: "",
            sentTime: now)
    }
}
