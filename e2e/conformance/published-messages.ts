import type { WhatsAppAPI } from "whatsapp-api-js";
import {
  ActionButtons,
  ActionCTA,
  ActionList,
  ActionLocation,
  Audio,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  CarouselCard,
  CarouselComponent,
  Contacts,
  Document,
  Email,
  Footer,
  Header,
  HeaderComponent,
  HeaderParameter,
  Image,
  Interactive,
  ListSection,
  Location,
  Name,
  Organization,
  Phone,
  Reaction,
  Row,
  Sticker,
  Template,
  Text,
  URLComponent,
  Video,
} from "whatsapp-api-js/messages";
import type { SentName } from "./sent-contents";

type ClientMessage = Parameters<WhatsAppAPI["sendMessage"]>[2];

/** WhatsApp's ids that a message of the client refers to. */
interface UpstreamIds {
  /** The file that the message contains. */
  readonly file: string;
  /** The message of the customer. */
  readonly message: string;
}

const FILE = "https://8.8.8.8/file";
const body = new Body("When shall we come?");
const frame = [body, new Header("Order 1042"), new Footer("Thank you")] as const;
const picture = (name: string) => new Image(`https://shop.example.com/${name}.jpg`);
const card = (product: string, price: string) =>
  new CarouselCard(picture(product), new BodyComponent(new BodyParameter(price)), new URLComponent(product));
const ana = new BodyParameter("Ana");

/** The same messages as in sent-contents.ts, as a published client builds them. */
export const PUBLISHED_MESSAGES: Readonly<Record<SentName, (ids: UpstreamIds) => ClientMessage>> = {
  "a text": () => new Text("Grüße 👋", false),
  "an uploaded image": ({ file }) => new Image(file, true, "Photo"),
  "a linked image": () => new Image(FILE, false, "Photo"),
  "an uploaded audio": ({ file }) => new Audio(file, true),
  "a linked audio": () => new Audio(FILE),
  "an uploaded video": ({ file }) => new Video(file, true, "Clip"),
  "a linked video": () => new Video(FILE),
  "an uploaded document": ({ file }) => new Document(file, true, "Bill", "März.pdf"),
  "a linked document": () => new Document(FILE, false, "Bill", "März.pdf"),
  "an uploaded sticker": ({ file }) => new Sticker(file, true),
  "a linked sticker": () => new Sticker(FILE),
  "a template": () =>
    new Template("order_update", "en_US", new BodyComponent(ana, new BodyParameter("A-1024"))),
  "a template with buttons": () =>
    new Template(
      "parcel_arrived",
      "en_US",
      new HeaderComponent(new HeaderParameter(picture("parcel"))),
      new BodyComponent(ana),
      new URLComponent("A-1024"),
    ),
  "a template with cards": () =>
    new Template(
      "shop_news",
      "en_US",
      new BodyComponent(ana),
      new CarouselComponent(card("lemon-tree", "25"), card("olive-tree", "39")),
    ),
  buttons: () =>
    new Interactive(
      new ActionButtons(new Button("today", "Today"), new Button("tomorrow", "Tomorrow")),
      ...frame,
    ),
  "a list": () =>
    new Interactive(
      new ActionList(
        "Open",
        new ListSection("Trees", new Row("lemon", "Lemon", "Yellow")),
        new ListSection("Herbs", new Row("basil", "Basil")),
      ),
      ...frame,
    ),
  "a list of one section without a title": () =>
    new Interactive(new ActionList("Open", new ListSection(undefined, new Row("basil", "Basil"))), body),
  "a link": () => new Interactive(new ActionCTA("Track", "https://shop.example/1"), ...frame),
  "a request for the location": () => new Interactive(new ActionLocation(), body),
  "a reaction": ({ message }) => new Reaction(message, "👍"),
  "a reaction taken back": ({ message }) => new Reaction(message),
  "a place": () => new Location(-13.4, 52.5, "The shop", "Berlin"),
  "a place on the equator, without a name": () => new Location(0, 0),
  contacts: () =>
    new Contacts(
      [
        new Name("Ada", "Ada"),
        new Phone("+49 151 1"),
        new Phone("+49 151 2"),
        new Email("ada@example.com"),
        new Organization("Shop"),
      ],
      [new Name("Bob", "Bob"), new Phone("1")],
    ),
};
