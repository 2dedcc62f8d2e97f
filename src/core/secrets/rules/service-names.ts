// Names of services whose keys have no format of their own. A random value directly beside such a name and a word such as
// `key` is a key of that service. Data: one name is one word. A name with "!" is also an everyday word: it counts only
// together with a word such as `key`.
const names = `
abstractapi abuseipdb abyssale accuweather adafruitio adobe adzuna aeroworkflow agora! airbrake airship airtable airvisual aiven
alchemy! alconost alegra aletheia algolia alibaba alienvault allsports amadeus ambee amplitude! anypoint apacta api2cart apideck
apiflash apifonica apify apilayer apimatic apimetrics apitemplate appcues appfollow appointedd appoptics appsynergy apptivo
artifactory artsy asana assemblyai atera atlassian audd auth0 autodesk autoklose autopilot! avaza aviationstack axonaut aylien
ayrshare azure bannerbear baremetrics baseapi beamer! beebole besnappy besttime billomat bitbar bitbucket bitcoinaverage
bitfinex bitly bitmex blazemeter blitapp blogger! bombbomb boostnote borgbase box! braintree brandfetch browserstack browshot
bscscan buddyns bugherd bugsnag buildkite bulbul! bulksms buttercms caflou calendarific calendly calorieninja campayn canny!
capsulecrm captaindata carboninterface cashboard caspio censys centralstationcrm cexio chartmogul chatbot! chatfule checio
checkly checkout! checkvist cicero! circleci clarifai clearbit clickhelp clicksend clickup cliengo clinchpad clockify
clockworksms closecrm cloudconvert cloudelements cloudflare cloudimage cloudmersive cloudplan cloudsmith cloverly cloze clustdoc
coda! codacy codeclimate codemagic codequiry cohere coinapi coinbase coinlayer coinlib collect2 column! commercejs companyhub
confluent contentful conversiontools convertapi convertkit convier copper! countrylayer courier! coveralls craftmypdf crowdin
cryptocompare currencycloud currencyfreaks currencylayer currencyscoop currentsapi customerguru customerio d7network daily!
dailyco dandelion! databox databricks datadog datagov deepai deepgram deepseek delighted! demio dependencytrack deputy!
detectlanguage dfuse diffbot diggernaut digitalocean discord disqus ditto! dnscheck docparser documo docusign doppler!
dotdigital dovico dronahq droneci dropbox duply dwolla dynalist dyspatch eagleeyenetworks easyinsight ecostruxureit edamam
edenai elasticemail enablex eraser! ethplorer etherscan etsy eventbrite everhour exchangerateapi exchangeratesapi exportsdk
extractorapi facebook faceplusplus fastforex fastly feedier fetchrss fibery figma fileio finage financialmodelingprep findl
finnhub finicity fixer! fixerio flatio fleetbase flickr flightapi flightlabs flightstats float! flowflu flutterwave formbucket
formcraft formsite foursquare frameio freshbooks freshdesk fulcrum! fullcontact fullstory fusebill fxmarket gainsight geckoboard
gengo geoapify geocodify geocodio geoipifi getemail getemails getgeoapi getgist getresponse getsandbox gitter glassnode gocanvas
gocardless goodday grafana graphcms graphhopper groovehq gtmetrix guardian! gumroad gyazo happi happyscribe harvest! hellosign
helpcrunch helpscout hereapi heroku hiveage holidayapi html2pdf hubspot humanity! hunter! hybiscus hypertrack iconfinder iexapis
iexcloud imagekit imagga impala! infura insightly instabot instamojo integromat intercom interseller intra42 intrinio
invoiceocean ip2location ipapi ipgeolocation ipifi ipify ipinfo ipinfodb ipquality ipstack jenkins jotform jumpcloud jupiterone
juro karma! karmacrm keenio kickbox klaviyo klipfolio knapsackpro kontent kraken! kucoin kylas languagelayer lastfm launchdarkly
leadfeeder lemlist lessannoyingcrm lexigram linkedin linkpreview liveagent livestorm loadmill locationiq loginradius logz logzio
lokalise loyverse lunchmoney luno macaddress madkudu magicbell mailboxlayer mailchimp mailerlite mailgun mailjet mailmodo
mailsac mandrill mapbox mapquest marketstack mattermost mavenlink maxmind meaningcloud mediastack meistertask meraki mesibo
messagebird metaapi metrilo mindmeister miro! mistral! mite! mixmax mixpanel mockaroo monkeylearn moonclerk moosend moralis
mrticktock myexperiment myfreshworks myintervals nasdaqdatalink neptune! nethunt netlify netsuite neutrinoapi newrelic newsapi
newscatcher nexmo nftport ngrok nicereply nightfall! nimble! noticeable! nozbe nozbeteams numverify nutritionix nylas nytimes
nuget oanda okta omnisend onedesk onelogin onepagecrm onesignal onwater oopspam openai opencagedata opengraphr openrouter openuv
openweather openweathermap opsgenie optimizely overloop owlbot packagecloud pagarme pagerduty pandadoc pandascore paperform
paralleldots parsehub parseur partnerstack pastebin paydirtapp paymoapp paymongo paypal paystack pdflayer pdfshift
peopledatalabs pepipost percy! pinata pinecone pinterest pipedream pipedrive pivotaltracker pixabay plaid! planetscale planview
planyo plivo podio pollsapi poloniex polygon! portainer positionstack postageapi postbacks posthog postmark powrbot prospectcrm
prospectio protocolsio proxycrawl pubnub pulumi purestake pushbullet pusher! qase qualaroo qubole quickmetrics rapidapi rawg
razorpay reachmail reallysimplesystems rebrandly rechargepayments recaptcha refiner! rentman repairshopr replicate! replyio
requestfinance restpack revampcrm ringcentral ritekit roaring! rocketreach rollbar ronin! route4me rownd rubygems runrunit
runscope salesblink salescookie salesflare salesforce salesmate satismeter saucelabs scaleway scalr scrapeowl scraperapi
scraperbox scrapersite scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer scrutinizer scrutinizerci
securitytrails selectpdf sendbird sendgrid sendinblue sentry! serpapi serphouse serpstack sheety sherpadesk shipday shodan
shopify shortcut! shotstack shutterstock signable! signalwire signaturit signupgenius sigopt simfin simplesat simplynoted
simvoly sinchmessage sirv siteleaf skrapp skrappio skybiometry slack smartsheet smartsheets smartystreets smooch snipcart snyk
sonar sonarcloud sonarqube sourcegraph sparkpost speechtextai splunk spoonacular sportradar sportsmonk sportmonks spotify
squarespace squareup sslmate statuscake statuspage statuspal stitchdata stockdata storecove stormboard stormglass storyblok
storychief strava streak! stripe! stripo stytch sugester sumologic supabase supernotes survicate surveyanyplace surveybot
surveysparrow swiftype tableau tailscale tallyfy tatumio tavily taxjar teamgate teamwork! teamworkcrm teamworkdesk
teamworkspaces technicalanalysisapi telegram teletype telnyx terraform text2data textmagic theoddsapi thingsboard thinkific
thousandeyes ticketmaster tickettailor tiingo timecamp timezoneapi tmetric todoist toggl tokeet tomorrowio tomtom tradier
transferwise travelpayouts travisci trello twelvedata twilio twitch! twitter tyntec typeform typetalk ubidots uclassify unifyid
unplugg unsplash upcdatabase uplead uploadcare uptimerobot upwave urlscan userflow userstack vagrant vatlayer vbout vercel
verimail veriphone versioneye viewneo virustotal visualcrossing voicegain voiceflow voodoosms vouchery vpnapi vultr vyte
walkscore wandb weatherbit weatherstack web3storage webex webflow webscraper webscraping websitepulse wepay whoxy wistia
worksnaps workstack worldcoinindex worldweather wrike xata yandex yelp youneedabudget yousign youtube zapier zendesk zenkit
zenrows zenscrape zenserp zeplin zerobounce zerotier zipbooks adafruit ably adyen ai21 akamai alpaca! ankr anyscale appdynamics
appsignal appveyor appwrite authorizenet authress axiom! back4app basecamp baseten betterstack binance bitrise bitstamp bittrex
blockfrost bluesnap braze brightcove bugcrowd bunnycdn bybit chainstack chargebee checkmarx civo clearml clickatell clickhouse
cloudinary codefresh codeship cometchat coralogix covalent crowdstrike cypress! deepinfra detectify dynatrace endorlabs exoscale
fauna! filestack fireworks! fossa friendli gateio gemini! getstream gitguardian greynoise groq hackerone harness! hasura
helicone hetzner honeybadger honeycomb! huobi imgbb imgix infobip infracost instana iterable! keycdn klarna koyeb labelbox
lacework langsmith lemonsqueezy lightstep linode logdna logentries loggly logtail mailersend mailtrap mezmo mollie monday! msg91
mux! nansen neon! northflank novita novu okx openphone opensea orca! ovh paddle! papertrail perplexity probely qdrant quandl
quicknode railway! raygun recurly redislabs roboflow rudderstack runpod sauce! scale! segment! sendpulse sentinelone sidekiq!
sonatype spacelift speechmatics stability! statsig sysdig tenderly textlocal together! truelayer turso upcloud upstash vast!
veracode vimeo vonage voyage! wakatime weaviate yodlee zilliz zoom! zuora zipcodeapi zipcodebase lob! onfleet netcore semaphore!
kafka! travis! zonka zonkafeedback zoho zulip
blynk branchio ciscomeraki databento deviantart looker! mergify particleio particle! phpmailer retellai stackhawk teamcity
vmware zhipu zuplo deepl! sambanova hyperbolic! nebius moonshot! dashscope minimax! siliconflow stepfun arize! portkey lakera
promptlayer traceloop literalai humanloop cartesia! resemble! heygen synthesia tavus leonardo! ideogram! falai runwayml
bravesearch serper! brightdata oxylabs browserless convex! nhost motherduck tinybird timescale! cockroachdb couchbase influxdb
questdb clerk! workos descope fusionauth propelauth logto zitadel keycloak supertokens pushover! xendit midtrans omise iyzico
mercadopago pagseguro gerencianet revolut monzo lithic marqeta airwallex gitbook mintlify chromatic! applitools lambdatest
semgrep gemfury pingdom rootly firehydrant plausible! growthbook flagsmith unleash! configcat devcycle hotjar sanity! strapi
ghost! prismic! datocms hygraph directus giphy tenor! pexels sketchfab minio wasabi backblaze storj filebase fivetran airbyte
hightouch dagster! astronomer! comet! kaggle anthropic gladia lmnt! playht unstructured! composio agentops livekit knowbe4
qualys tenable rapid7 hibp! intezer vulners woocommerce bigcommerce magento! ecwid printful printify shipstation rocketchat
bamboohr greenhouse! personio rippling! zoominfo apollo! neverbounce millionverifier ipdata! ipregistry maptiler stadiamaps
mapillary openrouteservice aqicn purpleair meteomatics alphavantage polygonio eodhd marketaux coingecko coinmarketcap
cryptopanic messari nomics blockcypher blockchair bitquery covalenthq thirdweb polygonscan arbiscan snowtrace nownodes
getblock! chainbase helius! trongrid stackpath cachefly gcore leaseweb contabo kinsta pantheon! platformsh acquia cloudways
rackspace phoenixnap datarobot paperspace lambdalabs vastai jarvislabs tensordock cerebrium inferless segmind clipdrop
removebg photoroom speechify descript! aircall dialpad justcall bandwidth! routee! smsapi unifonic africastalking termii
kaleyra gupshup manychat respondio trengo kustomer gorgias tidio userlike smartsupp zammad freshservice servicenow ninjaone
connectwise nessus acunetix jfrog whitesource azuredevops openshift rancher proxmox vultrapi nordvpn mullvad zerossl
letsencrypt godaddy namecheap porkbun gandi! dnsimple namesilo dynu! duckdns noip! desec hetznerdns dockerhub quayio nexus!
gitea forgejo codeberg gogs! sourcehut harbor! artifacthub packagist hexpm firebase! supabaseanon algoliasearch meilisearch
typesense elasticsearch opensearch! milvus weaviatecloud opencage geocodeearth what3words yandexmaps baidumap amap! naver!
kakao! zalo! wechat! alipay qiniu upyun leancloud agoraio easemob jpush umeng getui gemfire! splitio taboola outbrain criteo
appsflyer adjust! kochava singular! branch! revenuecat adapty superwall expo! testflight bitriseio appcircle saleor medusa!
shopware prestashop bolcom lightspeed! toast! clover! sumup! izettle payoneer skrill neteller worldpay cybersource authorize!
bluepay klarnacheckout sezzle tabby! tamara! paytabs hyperpay telr! fawry! kashier paymob khalti esewa phonepe paytm cashfree
instamojoapi juspay mpesa! chapa! paystackapi monnify interswitch remita! flutterwaveapi twelvelabs hedra! pika! haiper vidu!
klingai pixverse higgsfield recraft! bflapi blackforestlabs langfuse langchain! langflow flowise dify! coze! zapierapi
activepieces windmill! retool! appsmith budibase tooljet todoistapi ticktick evernote! onenote! raindrop! pocket! instapaper
readwise feedly inoreader newsblur strapiapi payloadcms storyblokapi agilitycms kenticocloud sitecore! umbraco! craftcms
workable! ashby! recruitee teamtailor smartrecruiters jobvite icims! lattice! cultureamp officevibe fifteenfive quickbooks
xero! waveapps freeagent! sageone zohobooks invoiceninja paychex gustoapi
cloudsight datastax doubao onfido openvsx palantir! pangea! privateai settlemint siemens thunderstore unkey voyageai
weatherapi weightsandbiases zohocrm checkr drata embedly grammarly imgur instacart kajabi marketo patreon pendo! proxycurl
redmine surveymonkey sympla tmdb transifex trustpilot tumblr workday! yahoo! zillow ibmcloud watson! jira! hashicorp wireguard
rabbitmq! gitalk octopusdeploy kubernetes! nomad! consul! vault! cursor! copilot! windsurf! modelscope context7
openweathermapapi unraid sonarr radarr jellyfin plex! tautulli homeassistant! nextcloud! owncloud grocy paperless!
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
