internal import ScenarioModel

/// Every verb a step can have.
package enum StepCatalog {
    package static let all: [StepKind] = [
        ConnectStep.kind, DisconnectStep.kind, ReconnectStep.kind, LoseLinkStep.kind, StartAppStep.kind, SyncStep.kind,
        SendStep.kind, ResendStep.kind, GetStep.kind, SetStep.kind, SaveContactStep.kind, ContactStep.remove,
        ContactStep.resetPath, ContactStep.share, ImportContactStep.kind, SendAdvertStep.kind, LoginStep.kind,
        LogoutStep.kind, CommandLineStep.kind, RequestStep.kind, TraceStep.kind, DiscoverPathStep.kind,
        DiscoverNodesStep.kind, SendDataStep.kind, SignStep.kind, SendFrameStep.kind, RadioStep.restart,
        RadioStep.factoryReset, MessageStep.kind, AdvertiseStep.kind, ChangeLinkStep.cut, ChangeLinkStep.heal,
        HealAllStep.kind, ChangeLinkStep.degrade, PartitionStep.kind, NodeStep.kind, PowerStep.reboot,
        PowerStep.powerOff, PowerStep.powerOn, StartFaultStep.kind, StopFaultStep.kind, SnapshotStep.kind,
        PhaseStep.kind, WaitStep.kind,
        NoteStep.kind,
    ]

    package static var keywords: [String] { all.map(\.keyword) }

    package static subscript(keyword: String) -> StepKind? { all.first { $0.keyword == keyword } }
}
