import ArgumentParser
import EscrowDiagnostics
import EscrowFiles
import EscrowServerRegistry
import EscrowServerService

struct EnrolCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol", abstract: "Let a device ask: write the file that escrow server add reads.",
        discussion: "The file holds the device's key. Hand it over in private and keep no copy.")
    @OptionGroup var folder: FolderOption
    @Argument(help: "A name for the device, for escrow-server device revoke.") var device: String
    @Option(help: "Where to write the file.") var out: String
    @Option(help: "The folder with the authority's key, where it is another.") var authority: String?

    func run() throws {
        let home = try folder.open()
        let authority = try authority.map { (folder) throws(Diagnostic) in
            try ServerHome.open(at: folder).authority()
        }
        let file = try home.enrol(device, in: try home.registry(), by: try authority ?? home.authority())
        try SecureFile.replace(out, with: file)
        say("enrolled   \(device)")
        say("its file   \(out)")
    }
}

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "The devices that may ask.", subcommands: [List.self, Revoke.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the devices that were enrolled.")
        @OptionGroup var folder: FolderOption

        func run() throws {
            for device in try folder.open().registry().devices() {
                say("\(device.name)  \(device.fingerprint)  \(device.isRevoked ? "revoked" : "")")
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Refuse a device for ever.")
        @OptionGroup var folder: FolderOption
        @Argument(help: "The device's name.") var device: String

        func run() throws {
            guard try folder.open().registry().revokeDevice(device) > 0 else {
                throw Diagnostic(
                    .notRegisteredHere, "no device of that name was enrolled",
                    help: "escrow-server device list")
            }
            say("revoked    \(device)")
        }
    }
}
