// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "find-contacts",
    dependencies: [.package(name: "escrow", path: "../../SDK/swift")],
    targets: [
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(name: "ContactMatching", dependencies: ["CSodium"]),
        .executableTarget(
            name: "find-contacts",
            dependencies: [
                "ContactMatching", .product(name: "EscrowJSON", package: "escrow"),
                .product(name: "EscrowPlugin", package: "escrow"),
            ]),
        // What each step costs, for Benchmarks/psi.py.
        .executableTarget(name: "discovery-cost", dependencies: ["ContactMatching"]),
    ],
    swiftLanguageModes: [.v6]
)
