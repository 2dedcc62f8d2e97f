// Names of services whose keys have no format of their own. A random value directly beside such a name and a word such as
// `key` is a key of that service. Data: one name is one word. A name with "!" is also an everyday word: it counts only
// together with a word such as `key`.
const names = `
abstractapi abuseipdb abyssale accuweather adafruitio adobe adzuna aeroworkflow agora! airbrake airship airtable airvisual aiven
alchemy! alconost alegra aletheia algolia alibaba alienvault allsports amadeus ambee amplitude! anypoint apacta api2cart apideck
apiflash apifonica apify apilayer apimatic apimetrics apitemplate appcues appfollow appointedd appoptics appsynergy apptivo
artifactory artsy asana assemblyai atera atlassian audd auth0 autodesk autoklose autopilot! avaza aviationstack axonaut aylien
ayrshare azure bannerbear baremetrics baseapi beamer! beebole besnappy besttime billomat bitbar bitbucket bitcoinaverage bitfinex
bitly bitmex blazemeter blitapp blogger! bombbomb boostnote borgbase box! braintree brandfetch browserstack browshot bscscan
buddyns bugherd bugsnag buildkite bulbul! bulksms buttercms caflou calendarific calendly calorieninja campayn canny! capsulecrm
captaindata carboninterface cashboard caspio censys centralstationcrm cexio chartmogul chatbot! chatfule checio checkly
checkout! checkvist cicero! circleci clarifai clearbit clickhelp clicksend clickup cliengo clinchpad clockify clockworksms
closecrm cloudconvert cloudelements cloudflare cloudimage cloudmersive cloudplan cloudsmith cloverly cloze clustdoc coda!
codacy codeclimate codemagic codequiry cohere coinapi coinbase coinlayer coinlib collect2 column! commercejs companyhub
confluent contentful conversiontools convertapi convertkit convier copper! countrylayer courier! coveralls craftmypdf crowdin
cryptocompare currencycloud currencyfreaks currencylayer currencyscoop currentsapi customerguru customerio d7network daily!
dailyco dandelion! databox databricks datadog datagov deepai deepgram deepseek delighted! demio dependencytrack deputy!
detectlanguage dfuse diffbot diggernaut digitalocean discord disqus ditto! dnscheck docparser documo docusign doppler!
dotdigital dovico dronahq droneci dropbox duply dwolla dynalist dyspatch eagleeyenetworks easyinsight ecostruxureit edamam
edenai elasticemail enablex eraser! ethplorer etherscan etsy eventbrite everhour exchangerateapi exchangeratesapi exportsdk
extractorapi facebook faceplusplus fastforex fastly feedier fetchrss fibery figma fileio finage financialmodelingprep findl
finnhub finicity fixer! fixerio flatio fleetbase flickr flightapi flightlabs flightstats float! flowflu flutterwave formbucket
formcraft formsite foursquare frameio freshbooks freshdesk fulcrum! fullcontact fullstory fusebill fxmarket gainsight
geckoboard gengo geoapify geocodify geocodio geoipifi getemail getemails getgeoapi getgist getresponse getsandbox gitter
glassnode gocanvas gocardless goodday grafana graphcms graphhopper groovehq gtmetrix guardian! gumroad gyazo happi happyscribe
harvest! hellosign helpcrunch helpscout hereapi heroku hiveage holidayapi html2pdf hubspot humanity! hunter! hybiscus hypertrack
iconfinder iexapis iexcloud imagekit imagga impala! infura insightly instabot instamojo integromat intercom interseller intra42
intrinio invoiceocean ip2location ipapi ipgeolocation ipifi ipify ipinfo ipinfodb ipquality ipstack jenkins jotform jumpcloud
jupiterone juro karma! karmacrm keenio kickbox klaviyo klipfolio knapsackpro kontent kraken! kucoin kylas languagelayer lastfm
launchdarkly leadfeeder lemlist lessannoyingcrm lexigram linkedin linkpreview liveagent livestorm loadmill locationiq loginradius
logz logzio lokalise loyverse lunchmoney luno macaddress madkudu magicbell mailboxlayer mailchimp mailerlite mailgun mailjet
mailmodo mailsac mandrill mapbox mapquest marketstack mattermost mavenlink maxmind meaningcloud mediastack meistertask meraki
mesibo messagebird metaapi metrilo mindmeister miro! mistral! mite! mixmax mixpanel mockaroo monkeylearn moonclerk moosend moralis
mrticktock myexperiment myfreshworks myintervals nasdaqdatalink neptune! nethunt netlify netsuite neutrinoapi newrelic newsapi
newscatcher nexmo nftport ngrok nicereply nightfall! nimble! noticeable! nozbe nozbeteams numverify nutritionix nylas nytimes
nuget oanda okta omnisend onedesk onelogin onepagecrm onesignal onwater oopspam openai opencagedata opengraphr openrouter openuv
openweather openweathermap opsgenie optimizely overloop owlbot packagecloud pagarme pagerduty pandadoc pandascore paperform
paralleldots parsehub parseur partnerstack pastebin paydirtapp paymoapp paymongo paypal paystack pdflayer pdfshift
peopledatalabs pepipost percy! pinata pinecone pinterest pipedream pipedrive pivotaltracker pixabay plaid! planetscale planview
planyo plivo podio pollsapi poloniex polygon! portainer positionstack postageapi postbacks posthog postmark powrbot prospectcrm
prospectio protocolsio proxycrawl pubnub pulumi purestake pushbullet pusher! qase qualaroo qubole quickmetrics rapidapi
rawg razorpay reachmail reallysimplesystems rebrandly rechargepayments recaptcha refiner! rentman repairshopr replicate! replyio
requestfinance restpack revampcrm ringcentral ritekit roaring! rocketreach rollbar ronin! route4me rownd rubygems runrunit runscope
salesblink salescookie salesflare salesforce salesmate satismeter saucelabs scaleway scalr scrapeowl scraperapi scraperbox
scrapersite scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer scrutinizer scrutinizerci securitytrails
selectpdf sendbird sendgrid sendinblue sentry! serpapi serphouse serpstack sheety sherpadesk shipday shodan shopify shortcut!
shotstack shutterstock signable! signalwire signaturit signupgenius sigopt simfin simplesat simplynoted simvoly sinchmessage
sirv siteleaf skrapp skrappio skybiometry slack smartsheet smartsheets smartystreets smooch snipcart snyk sonar sonarcloud
sonarqube sourcegraph sparkpost speechtextai splunk spoonacular sportradar sportsmonk sportmonks spotify squarespace squareup
sslmate statuscake statuspage statuspal stitchdata stockdata storecove stormboard stormglass storyblok storychief strava streak!
stripe! stripo stytch sugester sumologic supabase supernotes survicate surveyanyplace surveybot surveysparrow swiftype tableau
tailscale tallyfy tatumio tavily taxjar teamgate teamwork! teamworkcrm teamworkdesk teamworkspaces technicalanalysisapi telegram
teletype telnyx terraform text2data textmagic theoddsapi thingsboard thinkific thousandeyes ticketmaster tickettailor tiingo
timecamp timezoneapi tmetric todoist toggl tokeet tomorrowio tomtom tradier transferwise travelpayouts travisci trello
twelvedata twilio twitch! twitter tyntec typeform typetalk ubidots uclassify unifyid unplugg unsplash upcdatabase uplead uploadcare
uptimerobot upwave urlscan userflow userstack vagrant vatlayer vbout vercel verimail veriphone versioneye viewneo virustotal
visualcrossing voicegain voiceflow voodoosms vouchery vpnapi vultr vyte walkscore wandb weatherbit weatherstack web3storage webex
webflow webscraper webscraping websitepulse wepay whoxy wistia worksnaps workstack worldcoinindex worldweather wrike xata yandex
yelp youneedabudget yousign youtube zapier zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce zerotier zipbooks
zipcodeapi zipcodebase lob! onfleet netcore semaphore! kafka! travis! zonka zonkafeedback zoho zulip
`;

interface ServiceName {
  readonly name: string;
  /** Whether the name is also an everyday word. */
  readonly everyday: boolean;
}

export const serviceNames: readonly ServiceName[] = names
  .trim()
  .split(/\s+/)
  .map((word) => ({ name: word.replace("!", ""), everyday: word.endsWith("!") }));
