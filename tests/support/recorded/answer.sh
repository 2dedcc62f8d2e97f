# What the model behind both stand-ins says, by the role that the directive names: a right fix and honest reviews.
# Sets `answer`. The worker writes its fix only where `may_edit` is yes, as the real program would.
directive=$(cat)
[[ $directive =~ \"marker\":\ *\"([^\"]+)\" ]] && marker=${BASH_REMATCH[1]}
[[ $directive =~ \"outputContract\":\ *\{[^{}]*\"name\":\ *\"([a-z_]+)\" ]] && contract=${BASH_REMATCH[1]}
case $contract in
  planner_decision | orchestrator_decision) data='"decision":{"action":"delegate","delegateTo":"implementer","reason":"one small step",' ;;
  implementation_result)
    data='"implementationResult":{"status":"no_change",'
    if [ "$may_edit" = yes ]; then
      echo 'export const add = (a, b) => a + b;' > src/add.js
      data='"implementationResult":{"status":"changed","changedFiles":["src/add.js"],'
    fi
    ;;
  qa_result) data='"qaResult":{"verdict":"pass","summary":"no case is missed",' ;;
  verification_result) data='"verificationResult":{"verdict":"approve","summary":"the check passes now",' ;;
  critique_result) data='"critiqueResult":{"verdict":"acceptable","summary":"no concern",' ;;
  *) data='"unknown":{' ;;
esac
answer="{\"status\":\"ok\",\"summary\":\"done\",\"data\":{$data\"thehoodDirectiveAck\":\"$marker\"}}}"
