import ArgumentParser
import EscrowDiagnostics
import EscrowFiles
import EscrowGroupDevice
import EscrowJSON
import Foundation

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print this device's groups.")
    @OptionGroup var home: HomeOptions

    func run() throws {
        for name in try Folder.namesIfPresent(home.folder()) ?? [] {
            Output.print(["group": .string(name)])
        }
    }
}

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a group's members, servers, and what servers did wrong.")
    @OptionGroup var group: GroupOptions

    func run() throws { Output.print(try Device(reading: group.folder()).description) }
}

/// Which object.
struct ObjectOptions: ParsableArguments {
    @Argument(help: "The object's class.")
    var objectClass: String
    @Argument(help: "The object's identifier: one in the whole group.")
    var id: String
}

struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Share an object, new or changed: JSON from standard input.")
    @OptionGroup var group: GroupOptions
    @OptionGroup var object: ObjectOptions

    func run() throws {
        let bytes = try FileHandle.standardInput.readToEnd() ?? Data()
        let value: JSONNode
        do {
            value = try JSONParser.parse(bytes, limits: .init(bytes: 12 << 20))
        } catch {
            throw Diagnostic(.objectUnfit, "the object is not JSON: \(error.impersonalMessage)")
        }
        let text = String(decoding: JSONWriter.line(value.value), as: UTF8.self)
        try group.device().update(object.objectClass, object.id, text, at: Output.now)
    }
}

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an object, here and at the others.")
    @OptionGroup var group: GroupOptions
    @OptionGroup var object: ObjectOptions

    func run() throws {
        try group.device().delete(object.objectClass, object.id, at: Output.now)
    }
}

struct ObjectsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects", abstract: "Print the objects, one a line.")
    @OptionGroup var group: GroupOptions
    @Option(name: .customLong("class"), help: "Of this class only.")
    var objectClass: String?

    func run() throws {
        for object in try Device(reading: group.folder()).objects(of: objectClass) {
            guard let value = try? JSONParser.parse(object.object, limits: .init(bytes: 16 << 20)).value
            else {
                continue
            }
            Output.print([
                "class": .string(object.objectClass), "id": .string(object.id), "object": value,
            ])
        }
    }
}

struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Get what others changed, and send what changed here.",
        discussion: """
            Prints what changed, the servers that answered wrongly and those that did not answer, and how many messages not \
            enough servers took yet. With --confirm when the device comes online: others hear at once what it has and misses.
            """)
    @OptionGroup var group: GroupOptions
    @Flag(help: "Also say to the others what is here.")
    var confirm = false

    func run() throws {
        let device = try group.device()
        if confirm { try device.confirm(at: Output.now) }
        let report = try device.sync(at: Output.now)
        let changes = report.changes.map { change -> JSONValue in
            [
                "class": .string(change.objectClass), "id": .string(change.id),
                "deleted": .bool(change.isDeleted), "member": .string(change.sender),
            ]
        }
        let faults = report.faults.sorted { $0.key < $1.key }.map { server, faults in
            (name: server, value: JSONValue.array(faults.sorted().map { .string($0) }))
        }
        Output.print([
            "changed": .array(changes), "faults": .object(faults),
            "unreachable": .array(report.unreachable.sorted().map { .string($0) }),
            "waiting": .integer(Int64(report.waiting)),
            "unreadable": .integer(Int64(report.unreadable)),
        ])
    }
}
