import ContactMatching

// Both sides of the protocol in one process, step by step:
//
//     discovery-cost CONTACTS USERS       that many numbers here, that many there, a tenth of the fewer in common
//
// Prints how many were found, and the seconds of each step: what the service publishes, once for all who ask, the contacts blinded, the
// service's answer, and what the device makes of it.
let sizes = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard sizes.count == 2, sizes.allSatisfy({ $0 > 0 }) else { fatalError("discovery-cost CONTACTS USERS") }
let (contacts, users) = (sizes[0], sizes[1])
let shared = min(contacts, users) / 10
func number(_ at: Int) -> String { "+1\(2_000_000_000 + at * 7919 % 7_999_999_999)" }
let ours = (0..<contacts).map(number)
let theirs = (contacts - shared..<contacts - shared + users).map(number)

struct Steps {
    private(set) var seconds: [Double] = []

    mutating func time<Result>(_ work: () -> Result) -> Result {
        let begin = ContinuousClock.now
        let result = work()
        let (whole, parts) = (ContinuousClock.now - begin).components
        seconds.append(Double(whole) + Double(parts) / 1e18)
        return result
    }
}

var steps = Steps()
let (device, service) = (Blinding(), Blinding())
let published = steps.time { Set(theirs.map { service.blinded($0) }) }
let asked = steps.time { ours.map { device.blinded($0) } }
let answered = steps.time { asked.map { service.blinded(point: $0)! } }
let found = steps.time { answered.count { published.contains(device.unblinded($0)!) } }
print(found, steps.seconds.map { "\($0)" }.joined(separator: " "))
