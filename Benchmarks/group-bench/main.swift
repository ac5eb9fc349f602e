import Foundation

// The thesis's figures with servers' processes on loopback, many members simulated, and Shamir's scheme beside libgfshare's.
//   group-bench ESCROW-SHARE-SERVER [figures|members|shares]...

func seconds<Result>(_ body: () throws -> Result) rethrows -> (Double, Result) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try body()
    let spent = clock.now - start
    return (Double(spent.components.seconds) + Double(spent.components.attoseconds) / 1e18, result)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func figures(_ program: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "group-bench-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let fleet = try Fleet(30, program, folder)
    defer {
        fleet.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
    let figures = Figures(fleet: fleet, folder: folder, rounds: 3)
    try figures.print61()
    try figures.print62()
}

let parts = CommandLine.arguments.dropFirst(2)
for part in parts.isEmpty ? ["figures", "members", "shares"] : Array(parts) {
    switch part {
    case "figures": try figures(CommandLine.arguments[1])
    case "members": try Simulation.printAll()
    case "shares": try Shamir.compare()
    default: fatalError("usage: group-bench ESCROW-SHARE-SERVER [figures|members|shares]...")
    }
}
