import CProbeRunner
import Glibc

/// What controls leave behind: processes that moved out of their group and outlived it. They become children
/// of this process, which ends them. No sandbox may be running meanwhile.
enum Orphans {
    /// From here on orphans come to this process.
    static func adopt() throws(ProbeFailure) {
        let error = probe_adopt_orphans(true)
        guard error == 0 else { throw ProbeFailure("orphans cannot be adopted: errno \(error)") }
    }

    /// Ends all that have come. Each that ends may hand over children of its own.
    static func end() throws(ProbeFailure) {
        while true {
            let children = try Files.names(in: "/proc/self/task").reduce(into: [pid_t]()) { list, task in
                let text = try? Files.text("/proc/self/task/\(task)/children")
                list += (text ?? "").split(separator: " ").compactMap { pid_t($0) }
            }
            if children.isEmpty { break }
            for child in children {
                kill(child, SIGKILL)
                var status: Int32 = 0
                while waitpid(child, &status, 0) < 0, errno == EINTR {}
            }
        }
        _ = probe_adopt_orphans(false)
    }
}
