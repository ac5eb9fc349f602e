import Foundation
import GroupNetwork

/// Many members and five servers in one process, with a virtual clock: an exchange an hour until all have everything.
enum Simulation {
    /// - Parameters:
    ///   - writers: how many of them write one object each.
    ///   - loss: how many of a hundred shares are lost, each way.
    static func run(_ count: Int, writers: Int, loss: Int) throws {
        let (spent, network) = try seconds {
            var network = Network(count, seed: 1000, .init(loss: loss, threshold: 2))
            var now: Int64 = 1_000_000_000_000
            let ids = network.ids
            for number in 0..<writers {
                network.write(ids[number * count / writers], "o\(number)", "v", at: now)
            }
            var hours = 0
            while !network.isConverged {
                precondition(hours < 24 * 7, "after a week somebody misses something")
                now += Network.day / 24
                hours += 1
                try network.exchange(at: now)
            }
            return (network, hours)
        }
        let (members, hours) = network
        let most = members.downloads.values.max() ?? 0
        print(
            "| \(count) | \(writers) | \(loss) % | \(hours) | \(members.sent("normal")) | \(members.sent("confirm")) |",
            "\(members.sent("resend")) | \(members.sent("again")) | \(most) | \(String(format: "%.1f", spent)) |"
        )
    }

    static func printAll() throws {
        print(
            "\nSimulated members, f(2, 5, 2), an exchange each hour\n\n| members | write | shares lost | hours | updates |",
            "confirms | requests | sent again | downloads of a member, most | seconds |")
        print("|" + String(repeating: "---|", count: 10))
        for count in [10, 100, 1000] {
            try run(count, writers: count, loss: 0)
            try run(count, writers: min(count, 20), loss: 30)
        }
    }
}
