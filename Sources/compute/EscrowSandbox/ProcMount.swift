/// How this machine's /proc is mounted. What a process does with its arguments, its size and its signal masks can be
/// read there by every user, whatever the sandbox; only the machine's owner can hide it. proc(5), "hidepid"
enum ProcMount {
    /// Whether other users' processes are hidden, by the text of a `mountinfo`.
    static func hidesProcesses(_ mountinfo: String) -> Bool {
        var isHidden = false
        // The last mount on a place is the one that is seen.
        for line in mountinfo.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 4, fields[4] == "/proc",
                let dash = fields.firstIndex(of: "-"), fields.count > dash + 3, fields[dash + 1] == "proc"
            else { continue }
            let option = fields[dash + 3].split(separator: ",").first { $0.hasPrefix("hidepid=") }
            isHidden = option.map { !["0", "off"].contains($0.dropFirst("hidepid=".count)) } ?? false
        }
        return isHidden
    }

    static var advice: String {
        hidesProcesses(readSmallFile("/proc/self/mountinfo") ?? "")
            ? "other users of this machine do not see what a plugin does in /proc"
            : "other users of this machine can watch its size and arguments in /proc: mount that with hidepid=invisible"
    }
}
