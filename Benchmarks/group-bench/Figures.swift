import EscrowGroupDevice
import EscrowShareClient
import EscrowSharing
import Foundation

/// The thesis's figures 6.1, 6.2(a) and 6.2(b): two devices and 30 services at three addresses, so many transfers each way.
struct Figures {
    let fleet: Fleet
    let folder: String
    /// Transfers each way.
    let rounds: Int

    /// A record of the account book as the thesis has it: 323 bytes, which a message makes 656 of or so.
    private let object = "{\"record\":\"" + String(repeating: "x", count: 323 - 13) + "\"}"
    /// What is split of such a message: it is filled up to 1,024 bytes, signed and sealed.
    private let sealed = [UInt8](repeating: 1, count: 12 + 12 + 16 + 64 + 1024)

    /// One transfer, its parts apart: in seconds, the sender's synchronisation, sharing and network, then the receiver's.
    private func transfer(_ count: Int, servers: Int, threshold: Int, from round: Int) throws -> [Double] {
        let pair = try Pair(fleet, servers: servers, threshold: threshold, accepted: servers, folder)
        let (sender, receiver) = round % 2 == 0 ? (pair.one, pair.other) : (pair.other, pair.one)
        func network(_ side: Side) -> Double {
            Double(side.client.spent.components.seconds)
                + Double(side.client.spent.components.attoseconds) / 1e18
        }
        let (before, received) = (network(sender), network(receiver))
        let (uploading, sent) = try seconds {
            for number in 0..<count { try sender.device.update("Record", "r\(number)", object, at: pair.now) }
            return try sender.device.sync(at: pair.now)
        }
        let (downloading, got) = try seconds { try receiver.device.sync(at: pair.now) }
        precondition(sent.waiting == 0 && got.changes.count == count, "\(got.changes.count) of \(count) came")
        // Sharing is a part of both that has no beginning and end of its own: the same work once more, alone.
        let scheme = try Scheme(threshold: threshold, shares: servers, accepted: servers)
        let (splitting, shares) = try seconds {
            try (0..<count).map { _ in try scheme.split(sealed).map(\.bytes) }
        }
        let (combining, _) = seconds {
            for each in shares {
                let replies = each.enumerated().map {
                    Reply(server: "s\($0)", number: UInt8($0 + 1), bytes: $1)
                }
                precondition(Combination(replies, scheme: scheme).message == sealed)
            }
        }
        let (up, down) = (network(sender) - before, network(receiver) - received)
        return [uploading - splitting - up, splitting, up, downloading - combining - down, combining, down]
    }

    /// The averages, as the thesis has them, of all transfers both ways.
    private func show(_ label: String, _ count: Int, servers: Int, threshold: Int) throws {
        let figures = try (0..<2 * rounds).map {
            try transfer(count, servers: servers, threshold: threshold, from: $0)
        }
        let means = (0..<6).map { part in figures.reduce(0) { $0 + $1[part] } / Double(figures.count) * 1000 }
        let columns = [
            means[0], means[1], means[2], means[0] + means[1] + means[2], means[3], means[4], means[5],
            means[3] + means[4] + means[5],
        ]
        print("| \(label) | " + columns.map { String(format: "%.1f", $0) }.joined(separator: " | ") + " |")
    }

    private func head(_ title: String, _ first: String) {
        print("\n\(title); ms, mean of \(rounds) transfers each way\n")
        print(
            "| \(first) | upload: sync | sharing | network | whole | download: sync | sharing | network | whole |"
        )
        print("|" + String(repeating: "---|", count: 9))
    }

    func print61() throws {
        head("Figure 6.1: objects of 323 bytes, f(2,3,3)", "messages")
        for count in [1, 50, 100, 200, 300, 400] { try show("\(count)", count, servers: 3, threshold: 2) }
    }

    func print62() throws {
        head("Figure 6.2(a): one message, k = 3, s = n", "n")
        for servers in stride(from: 6, through: 30, by: 3) {
            try show("\(servers)", 1, servers: servers, threshold: 3)
        }
        head("Figure 6.2(b): one message, n = s = 30", "k")
        for threshold in stride(from: 3, through: 27, by: 3) {
            try show("\(threshold)", 1, servers: 30, threshold: threshold)
        }
    }
}
