import EscrowFiles
import Glibc

/// Where control groups (v2) can be made on this machine. They count memory in use exactly and bound threads once more; without
/// them the resource limits hold alone.
///
/// Version 1 is not used: moving a process into a group waits for grace periods of the kernel, measured at 5 to 15 ms a run.
struct ControlGroups: Sendable, Equatable {
    /// What a group can count that is of use here. Processor time is not: the kernel's own limit ends a run, and a
    /// group could only slow it down.
    enum Controller: String, Sendable, CaseIterable {
        case memory
        case pids
    }

    let parent: String
    let controllers: Set<Controller>

    /// Finds a place and proves it by making a group there and removing it.
    static func find() -> ControlGroups? {
        guard let mounts = readSmallFile("/proc/self/mountinfo"), let own = readSmallFile("/proc/self/cgroup")
        else { return nil }
        for parent in places(mounts: mounts, own: own) {
            let handedOn = readSmallFile(parent + "/cgroup.subtree_control") ?? ""
            let groups = ControlGroups(parent: parent, controllers: controllers(in: handedOn))
            // To move a process the kernel asks for the right to write to the groups' common parent.
            guard !groups.controllers.isEmpty, access(parent + "/cgroup.procs", W_OK) == 0 else { continue }
            groups.sweep()
            if let group = ControlGroup(groups, limits: .standard) {
                _ = group.finish()
                return groups
            }
        }
        return nil
    }

    /// Directories in which a group can be made, the best first. v2 keeps processes in leaves only, so the new group is
    /// a sibling of our own, below a parent that hands its controllers on; systemd delegates such a parent to each
    /// user. The root of the hierarchy alone may hold processes and groups.
    static func places(mounts: String, own: String) -> [String] {
        let lines = own.split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("0::/") }), let mount = mount(mounts) else {
            return []
        }
        var path = String(line.dropFirst(3))
        if mount.root != "/" {
            // A part of the hierarchy is mounted, as in some containers.
            guard path == mount.root || path.hasPrefix(mount.root + "/") else { return [] }
            path = String(path.dropFirst(mount.root.count))
        }
        // The group is outside what this process can see.
        guard !path.contains("/../"), !path.hasSuffix("/..") else { return [] }
        while path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return [mount.point] }
        return [mount.point + path[..<slash]]
    }

    /// The controllers of use in a list such as `cpuset cpu io memory pids`.
    static func controllers(in list: String) -> Set<Controller> {
        Set(list.split { $0 == " " || $0 == "\n" }.compactMap { Controller(rawValue: String($0)) })
    }

    /// Where the hierarchy is mounted, and which part of it. A line of mountinfo: number, parent, device, root, mount
    /// point, options, any number of fields, " - ", type, source, options. proc(5)
    private static func mount(_ mounts: String) -> (root: String, point: String)? {
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count == dash + 4,
                fields[dash + 1] == "cgroup2", let root = unescape(fields[3]),
                let point = unescape(fields[4]),
                root.hasPrefix("/"), point.hasPrefix("/")
            else { continue }
            return (root, point)
        }
        return nil
    }

    /// Spaces, tabs, line feeds and backslashes stand as three octal digits.
    private static func unescape(_ field: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = field.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(3)
            guard digits.count == 3, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Removes the groups of hosts that were killed. One that still holds a process stays: the host may be alive in a
    /// process namespace that this one cannot see into.
    func sweep() {
        for name in (try? Folder.names(parent)) ?? [] {
            let parts = name.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == "escrow", let pid = Int32(parts[1]), pid > 0,
                UInt32(parts[2]) != nil
            else { continue }
            if kill(pid, 0) != 0, errno == ESRCH { rmdir("\(parent)/\(name)") }
        }
    }
}
