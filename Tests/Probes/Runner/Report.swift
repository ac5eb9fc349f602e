/// The table that people read, and the exit status.
struct Report {
    private let rows: [ProbeRun.Row]

    init(_ rows: [ProbeRun.Row]) { self.rows = rows }

    /// Prints it; 0 when no probe failed.
    func write() -> Int32 {
        let titles = rows.map(\.probe.title)
        let expected = rows.map(\.probe.header.expected.text)
        let first = max(5, titles.map(\.count).max() ?? 0)
        print("      \(Self.pad("probe", first))  expected, and what came instead")
        for (index, row) in rows.enumerated() {
            let mark = row.failed ? "FAIL" : row.skipped != nil ? "skip" : "ok"
            var line = [Self.pad(mark, 4), Self.pad(titles[index], first), expected[index]]
            if let reason = row.skipped {
                line.append("not run: \(reason)")
            } else if row.failed {
                line.append(row.got)
            }
            print(line.joined(separator: "  "))
        }
        let skippedControls = rows.filter { $0.skippedControl != nil && !$0.failed }
        if !skippedControls.isEmpty { print("\ncontrols skipped:") }
        for row in skippedControls {
            print("      \(Self.pad(row.probe.title, first))  \(row.skippedControl ?? "")")
        }
        let failed = rows.filter(\.failed).count
        let skipped = rows.filter { $0.skipped != nil }.count
        print(
            "\n\(rows.count - failed - skipped) passed, \(failed) failed"
                + (skipped == 0 ? "" : ", \(skipped) not run")
                + (skippedControls.isEmpty ? "" : ", \(skippedControls.count) controls skipped"))
        return failed == 0 ? 0 : 1
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
