// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "row-sum",
    dependencies: [.package(name: "escrow", path: "../../../SDK/swift")],
    targets: [
        .executableTarget(name: "row-sum", dependencies: [.product(name: "EscrowPlugin", package: "escrow")])
    ],
    swiftLanguageModes: [.v6]
)
