public import ClientStore
public import MeshCoreClient
public import RigBase
internal import RigRuntime

/// The services of one link to one radio. Made whole: no service sees an event before all of them exist.
public final class ServiceContainer: Sendable {
    /// For whatever no service does.
    public let session: MeshCoreSession
    public let store: PersistenceStore
    /// The partition of the store that belongs to this radio.
    public let radioID: UUID128
    /// The radio's node name.
    public let nodeName: String

    public let contacts: ContactService
    public let channels: ChannelService
    public let messages: MessageService
    public let polling: MessagePollingService
    public let adverts: AdvertisementService
    public let sync: SyncCoordinator

    private let data = Broadcaster<DataEvent>()

    init(context: ServiceContext, messageEvents: Broadcaster<MessageEvent>, readings: ChannelReadings) {
        session = context.session
        store = context.store
        radioID = context.radioID
        nodeName = context.nodeName
        contacts = ContactService(context: context)
        channels = ChannelService(context: context)
        messages = MessageService(context: context, contacts: contacts, events: messageEvents)
        polling = MessagePollingService(context: context)
        adverts = AdvertisementService(context: context, contacts: contacts)
        sync = SyncCoordinator(
            context: context,
            services: SyncCoordinator.Services(
                contacts: contacts, channels: channels, messages: messages, polling: polling, adverts: adverts),
            dataEvents: data, readings: readings)
    }

    /// What changes in the store from now on, until this link is taken down.
    public func dataEvents() -> AsyncStream<DataEvent> { data.subscribe() }
}
