import EscrowDiagnostics
import EscrowGroup
import EscrowGroupDevice
import EscrowSharing
import Foundation

// The thesis's figures 6.1, 6.2(a) and 6.2(b) with servers' processes on loopback, and Shamir's scheme beside libgfshare's.
//   group-bench ESCROW-SHARE-SERVER [ROUNDS]

let program = CommandLine.arguments[1]
let rounds = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 3 : 3
let folder = FileManager.default.temporaryDirectory.appending(path: "group-bench-\(getpid())").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)

let fleet = try Fleet(30, program, folder)
defer {
    fleet.stop()
    try? FileManager.default.removeItem(atPath: folder)
}

func seconds<Result>(_ body: () throws -> Result) rethrows -> (Double, Result) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try body()
    let spent = clock.now - start
    return (Double(spent.components.seconds) + Double(spent.components.attoseconds) / 1e18, result)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
func show(_ value: Double) -> String { String(format: "%9.2f", value * 1000) }

/// A record of the account book as the thesis has it: 323 bytes, which a message makes 656 of or so.
let object = "{\"record\":\"" + String(repeating: "x", count: 323 - 13) + "\"}"

print(
    "figure 6.1, f(2,3,3), objects of 323 bytes, ms: keeping, of it sharing; network; network and keeping, of it sharing"
)
print(" messages   update  (split)   upload download (combine)")
for count in [1, 50, 100, 200, 400] {
    var figures: [[Double]] = []
    for _ in 0..<rounds {
        let pair = try Pair(fleet, servers: 3, threshold: 2, accepted: 3, folder)
        let (updating, _) = try seconds {
            for number in 0..<count { try pair.one.update("Record", "r\(number)", object, at: pair.now) }
        }
        let scheme = try Scheme(threshold: 2, shares: 3, accepted: 3)
        let message = [UInt8](repeating: 1, count: 656)
        let (splitting, shares) = try seconds {
            try (0..<count).map { _ in try scheme.split(message).map(\.bytes) }
        }
        let (uploading, sent) = try seconds { try pair.one.sync(at: pair.now) }
        let (downloading, got) = try seconds { try pair.other.sync(at: pair.now) }
        precondition(
            sent.waiting == 0 && got.changes.count == count, "\(sent.waiting) wait, \(got.changes.count) came"
        )
        let (combining, _) = seconds {
            for each in shares {
                let replies = each.enumerated().map {
                    Reply(server: "s\($0)", number: UInt8($0 + 1), bytes: $1)
                }
                precondition(Combination(replies, scheme: scheme).message == message)
            }
        }
        figures.append([updating, splitting, uploading, downloading, combining])
    }
    let line = (0..<5).map { column in show(median(figures.map { $0[column] })) }
    print(String(format: "%9d", count), line.joined(separator: ""))
}

@MainActor func single(_ servers: Int, _ threshold: Int) throws {
    var figures: [[Double]] = []
    for _ in 0..<rounds {
        let pair = try Pair(fleet, servers: servers, threshold: threshold, accepted: servers, folder)
        let (uploading, sent) = try seconds {
            try pair.one.update("Record", "r", object, at: pair.now)
            return try pair.one.sync(at: pair.now)
        }
        let (downloading, got) = try seconds { try pair.other.sync(at: pair.now) }
        precondition(sent.waiting == 0 && got.changes.count == 1)
        figures.append([uploading, downloading])
    }
    print(
        String(format: "%3d %3d", threshold, servers), show(median(figures.map { $0[0] })),
        show(median(figures.map { $0[1] })))
}

print("figure 6.2(a), one message, k = 3, s = n, ms\n  k   n    upload  download")
for servers in stride(from: 6, through: 30, by: 6) { try single(servers, 3) }
print("figure 6.2(b), one message, n = s = 30, ms\n  k   n    upload  download")
for threshold in stride(from: 3, through: 27, by: 6) { try single(30, threshold) }
try Shamir.compare()
