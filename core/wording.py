"""Every fixed sentence that people see, in Korean and English.

A sentence is looked up by key and filled with named fields; which language it is spoken in is
decided by the question. Nothing else in the project may hold a sentence for people.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.messages import Language

SENTENCES: dict[str, dict[str, str]] = {
    # errors
    "error.internal": {
        "en": "Something went wrong here. Please try again; if it stays, tell an admin the id {error_id}.",
        "ko": "문제가 생겼습니다. 다시 시도해 주세요. 계속되면 관리자에게 번호 {error_id}를 알려 주세요.",
    },
    "error.input": {
        "en": "That input can't be used: {what}.",
        "ko": "이 입력은 쓸 수 없습니다: {what}.",
    },
    "error.slack_not_in_channel": {
        "en": "I'm not in that channel. Invite me there, then ask again.",
        "ko": "제가 그 채널에 없습니다. 채널에 초대한 뒤 다시 물어봐 주세요.",
    },
    "error.slack_archived": {"en": "That channel is archived.", "ko": "보관된 채널입니다."},
    "error.slack_scope": {
        "en": "The Slack app lacks the permission {needed}. An admin can add it and install the app again.",
        "ko": "Slack 앱에 {needed} 권한이 없습니다. 관리자가 권한을 추가하고 앱을 다시 설치해야 합니다.",
    },
    "error.slack_restricted": {
        "en": "The rules of this workspace don't let me post there.",
        "ko": "이 워크스페이스의 규칙 때문에 그곳에 글을 올릴 수 없습니다.",
    },
    "error.slack_signed_out": {
        "en": "Slack does not accept the app's token any more ({code}). An admin has to install the app again.",
        "ko": "Slack이 앱의 토큰을 더 이상 받지 않습니다({code}). 관리자가 앱을 다시 설치해야 합니다.",
    },
    "error.slack_not_installed": {
        "en": "The app is not installed in that workspace (any more).",
        "ko": "그 워크스페이스에 앱이 설치되어 있지 않습니다.",
    },
    "error.slack_key": {
        "en": "The workspace's token was encrypted under another REFDESK_SECRET_KEY. Put the old key behind the new"
        " one, after a comma, or install the app there again.",
        "ko": "이 워크스페이스의 토큰은 다른 REFDESK_SECRET_KEY로 암호화되었습니다."
        " 새 키 뒤에 쉼표를 찍고 예전 키를 적거나, 앱을 다시 설치해 주세요.",
    },
    "error.slack_token_kind": {
        "en": "{name} is another kind of token: it has to begin with {begins}",
        "ko": "{name}에 다른 종류의 토큰이 들어 있습니다. {begins}(으)로 시작해야 합니다.",
    },
    "error.slack_two_apps": {
        "en": "SLACK_BOT_TOKEN belongs to the app {app}, SLACK_APP_TOKEN to {other}. Take both from one app.",
        "ko": "SLACK_BOT_TOKEN은 앱 {app}의 것이고 SLACK_APP_TOKEN은 {other}의 것입니다. 한 앱의 것을 쓰세요.",
    },
    "error.slack_app_token": {
        "en": "Slack does not accept SLACK_APP_TOKEN ({code}). It must begin with xapp-, belong to the same app and"
        " have the scope connections:write (Basic Information, App-Level Tokens).",
        "ko": "Slack이 SLACK_APP_TOKEN을 받지 않습니다({code}). xapp-으로 시작하고, 같은 앱의 것이며,"
        " connections:write 권한이 있어야 합니다(Basic Information, App-Level Tokens).",
    },
    "error.slack_too_many_sockets": {
        "en": "Slack allows 10 connections for each app, and all are taken. Stop processes that use the same"
        " SLACK_APP_TOKEN.",
        "ko": "Slack은 앱마다 연결을 10개까지 허용하는데 모두 쓰이고 있습니다."
        " 같은 SLACK_APP_TOKEN을 쓰는 프로세스를 멈춰 주세요.",
    },
    "error.slack_socket_off": {
        "en": 'Socket Mode is switched off for the app. Switch it on (Settings, Socket Mode), or use mode = "http".',
        "ko": '앱의 Socket Mode가 꺼져 있습니다. 켜거나(Settings, Socket Mode) mode = "http"를 쓰세요.',
    },
    "error.slack_refused": {
        "en": "Slack refused that ({code}, id {error_id}).",
        "ko": "Slack이 거절했습니다({code}, 번호 {error_id}).",
    },
    "error.slack_down": {
        "en": "Slack can't be reached at the moment (id {error_id}).",
        "ko": "지금은 Slack에 연결할 수 없습니다(번호 {error_id}).",
    },
    "error.no_platform": {
        "en": "There is nowhere to serve: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN, or DISCORD_BOT_TOKEN, in the"
        " environment (see the README, “Slack” and “Discord”).",
        "ko": "연결할 곳이 없습니다. 환경에 SLACK_BOT_TOKEN과 SLACK_APP_TOKEN, 또는 DISCORD_BOT_TOKEN을 설정해 주세요"
        "(README의 “Slack”, “Discord” 참고).",
    },
    "error.platform_closed": {
        "en": "{platform} is not connected at the moment.",
        "ko": "지금은 {platform}에 연결되어 있지 않습니다.",
    },
    "error.answer_gone": {
        "en": "That answer is not there any more.",
        "ko": "그 답변은 더 이상 없습니다.",
    },
    "error.passage_gone": {
        "en": "This source can't be shown here: it was removed, changed, or is not for you to read.",
        "ko": "이 출처는 여기서 보여 드릴 수 없습니다. 삭제되었거나 바뀌었거나, 볼 수 없는 문서입니다.",
    },
    "error.share_not_yours": {
        "en": "Only who asked can share this answer.",
        "ko": "질문한 사람만 이 답변을 공유할 수 있습니다.",
    },
    "error.share_unreadable": {
        "en": "I can't share this there: it rests on documents that not everybody there may read.",
        "ko": "그곳에는 공유할 수 없습니다. 모두가 볼 수 있는 문서에 근거한 답변이 아닙니다.",
    },
    "error.nobody_to_ask": {
        "en": "Nobody is named to ask. An admin can name owners in refdesk.toml.",
        "ko": "물어볼 담당자가 정해져 있지 않습니다. 관리자가 refdesk.toml에 담당자를 적을 수 있습니다.",
    },
    "error.called_already": {
        "en": "Somebody was already asked to help with this answer.",
        "ko": "이 답변에 대해서는 이미 도움을 요청했습니다.",
    },
    "error.stop_not_yours": {
        "en": "Only who asked, and admins, can stop this.",
        "ko": "질문한 사람과 관리자만 중단할 수 있습니다.",
    },
    "error.no_thread": {
        "en": "You haven't asked me anything here yet.",
        "ko": "아직 여기서 저에게 물어본 것이 없습니다.",
    },
    "error.share_nowhere": {
        "en": "There is no channel to share this with. Ask with the command in a channel.",
        "ko": "공유할 채널이 없습니다. 채널에서 명령으로 질문해 주세요.",
    },
    "error.command": {
        "en": "I don't know “{text}”. `{command} help` lists the commands; a question is asked with `{command} ask …`.",
        "ko": "“{text}” 명령은 없습니다. `{command} 도움말`로 명령을 볼 수 있고, 질문은 `{command} 질문 …`으로 합니다.",
    },
    "error.button": {
        "en": "This button is out of date. Please ask again.",
        "ko": "오래된 버튼입니다. 다시 물어봐 주세요.",
    },
    "error.comment_empty": {"en": "Please write something first.", "ko": "내용을 먼저 적어 주세요."},
    "error.comment_long": {
        "en": "That is {length} characters long; please keep it within {limit}.",
        "ko": "{length}자입니다. {limit}자 이내로 적어 주세요.",
    },
    "error.question_empty": {
        "en": "The question is empty. Write what you would like to know.",
        "ko": "질문이 비어 있습니다. 알고 싶은 것을 적어 주세요.",
    },
    "error.question_long": {
        "en": "The question is {length} characters long; at most {limit} are read. Please shorten it.",
        "ko": "질문이 {length}자입니다. 최대 {limit}자까지 읽을 수 있으니 줄여 주세요.",
    },
    "error.config": {
        "en": "{where}: {what}.",
        "ko": "{where}: {what}.",
    },
    "error.config_missing": {
        "en": "There is no {path}. Write one (README, “Configuration”), or try `refdesk demo`.",
        "ko": "{path} 파일이 없습니다. README의 “Configuration”을 보고 만들거나 `refdesk demo`를 실행해 보세요.",
    },
    "error.config_unreadable": {
        "en": "{path} can't be read ({what}). Name a refdesk.toml that this user may read.",
        "ko": "{path}을(를) 읽을 수 없습니다({what}). 이 사용자가 읽을 수 있는 refdesk.toml을 지정해 주세요.",
    },
    "error.thread": {
        "en": "A thread's name is at most {limit} letters, figures, dots, dashes or underscores, as it was printed.",
        "ko": "대화 이름은 출력된 그대로, {limit}자 이하의 글자·숫자·점·붙임표·밑줄로 써 주세요.",
    },
    "error.now": {
        "en": "{text} is not a day; write it as YYYY-MM-DD, for example 2026-11-30.",
        "ko": "{text}은(는) 날짜가 아닙니다. 2026-11-30처럼 YYYY-MM-DD로 써 주세요.",
    },
    "error.web_key": {
        "en": 'The web search has no key. Set TAVILY_API_KEY, or turn it off: provider = "off" under [web].',
        "ko": '웹 검색에 쓸 키가 없습니다. TAVILY_API_KEY를 설정하거나 [web]에 provider = "off"를 쓰세요.',
    },
    "error.web_domains": {
        "en": "The web search has no domains. Write allow_domains, or allow_any = true, under [web].",
        "ko": "웹 검색에 허용된 도메인이 없습니다. [web]에 allow_domains나 allow_any = true를 쓰세요.",
    },
    "error.web_extra": {
        "en": 'The web search needs a package that is not installed: pip install "refdesk[web]".',
        "ko": '웹 검색에 필요한 패키지가 없습니다. 설치해 주세요: pip install "refdesk[web]".',
    },
    "error.otel_extra": {
        "en": 'Sending traces needs `pip install "refdesk[otel]"`; or leave otlp under [telemetry] unset.',
        "ko": '추적 정보를 보내려면 `pip install "refdesk[otel]"`가 필요합니다. 아니면 [telemetry]의 otlp를 지우세요.',
    },
    "error.web_key_refused": {
        "en": "The web search refused its key. An admin should check TAVILY_API_KEY.",
        "ko": "웹 검색 서비스가 키를 거부했습니다. 관리자가 TAVILY_API_KEY를 확인해야 합니다.",
    },
    "error.web_quota": {
        "en": "The web search's quota is used up. An admin should raise the plan's limit, or wait for the next month.",
        "ko": "웹 검색 사용 한도를 다 썼습니다. 관리자가 요금제 한도를 올리거나 다음 달까지 기다려야 합니다.",
    },
    "error.web_busy": {
        "en": "The web search is busy. Please try again in a minute.",
        "ko": "웹 검색 요청이 몰려 있습니다. 잠시 뒤 다시 시도해 주세요.",
    },
    "error.web_down": {
        "en": "The web search can't be reached. Please try again later; an admin can check base_url under [web].",
        "ko": "웹 검색 서비스에 연결할 수 없습니다. 나중에 다시 시도하거나 [web]의 base_url을 확인해 주세요.",
    },
    "error.web_timeout": {
        "en": "The web search took longer than {seconds} s. Please try again; an admin can raise timeout under [web].",
        "ko": "웹 검색이 {seconds}초를 넘겼습니다. 다시 시도해 주세요. 관리자는 [web]의 timeout을 늘릴 수 있습니다.",
    },
    "error.web_answer": {
        "en": "The web search gave an answer that can't be used. Please try again later.",
        "ko": "웹 검색 서비스가 쓸 수 없는 답을 보냈습니다. 나중에 다시 시도해 주세요.",
    },
    "error.no_collections": {
        "en": "No collection is configured. Add a [[collections]] section to refdesk.toml, or use --docs PATH.",
        "ko": "설정된 문서 모음이 없습니다. refdesk.toml에 [[collections]]를 추가하거나 --docs PATH를 쓰세요.",
    },
    "error.collection_unknown": {
        "en": "There is no collection {name}; configured are: {known}.",
        "ko": "{name}(이)라는 문서 모음이 없습니다. 설정된 것: {known}.",
    },
    "error.forget_configured": {
        "en": "{name} is in refdesk.toml. Take it out there, then run `refdesk index --forget {name}` again.",
        "ko": "{name}은(는) refdesk.toml에 있습니다. 먼저 그곳에서 뺀 뒤 `refdesk index --forget {name}`를 다시 실행해"
        " 주세요.",
    },
    "error.forget_unknown": {
        "en": "There is nothing of {name} in the index. What is there and not in refdesk.toml: {known}.",
        "ko": "색인에 {name}의 내용이 없습니다. 색인에 있지만 refdesk.toml에 없는 것: {known}.",
    },
    "error.store": {
        "en": "{path} can't be used ({what}). Move it away and run `refdesk sync` to build it anew.",
        "ko": "{path} 파일을 쓸 수 없습니다({what}). 다른 곳으로 옮긴 뒤 `refdesk sync`로 다시 만들어 주세요.",
    },
    "error.store_access": {
        "en": "{path} can't be opened ({what}). Check the place, the permissions and the free space.",
        "ko": "{path}을(를) 열 수 없습니다({what}). 위치와 쓰기 권한, 디스크 여유 공간을 확인해 주세요.",
    },
    "error.output": {
        "en": "The answer can't be written ({what}). Check where the output goes, and the free space there.",
        "ko": "답을 출력할 수 없습니다({what}). 출력 위치와 여유 공간을 확인해 주세요.",
    },
    "error.store_newer": {
        "en": "{path} was written by a newer version of Refdesk. Update Refdesk; nothing was changed.",
        "ko": "{path}은(는) 더 새로운 버전의 Refdesk가 쓴 파일입니다. Refdesk를 업데이트해 주세요. 바뀐 것은 없습니다.",
    },
    "error.morphemes_missing": {
        "en": "The analyzer morphemes is not installed."
        " Run `pip install 'refdesk[morphemes]'`, or leave analyzer unset.",
        "ko": "형태소 분석기가 설치되어 있지 않습니다."
        " `pip install 'refdesk[morphemes]'`를 실행하거나 analyzer 설정을 지워 주세요.",
    },
    "error.e5_missing": {
        "en": "The embedder local-e5 is not installed. Run `pip install 'refdesk[local-e5]'`, or leave embedder unset.",
        "ko": "local-e5 임베더가 설치되어 있지 않습니다."
        " `pip install 'refdesk[local-e5]'`를 실행하거나 embedder 설정을 지워 주세요.",
    },
    "error.reranker_missing": {
        "en": "Grading with a cross-encoder needs `pip install 'refdesk[rerankers]'`; or choose another grader.",
        "ko": "교차 인코더로 평가하려면 `pip install 'refdesk[rerankers]'`가 필요합니다."
        " 아니면 다른 평가 방법을 고르세요.",
    },
    "error.reranker_unusable": {
        "en": "The model {name} can't be loaded. Check its name, or that it has been downloaded.",
        "ko": "{name} 모델을 불러올 수 없습니다. 이름이 맞는지, 내려받았는지 확인해 주세요.",
    },
    "error.embedding": {
        "en": "The documents were indexed with {embedding} ({stored} dimensions), but questions are now embedded in"
        " {asked}. Run `refdesk sync` to index them anew.",
        "ko": "문서는 {embedding}({stored}차원)로 색인되었는데 질문은 {asked}차원으로 임베딩되고 있습니다."
        " `refdesk sync`로 다시 색인해 주세요.",
    },
    "error.embedding_mixed": {
        "en": "These collections were indexed with different embedders ({embeddings}) and can't be searched as one."
        " Run `refdesk sync` to index them anew.",
        "ko": "문서 모음들이 서로 다른 임베더({embeddings})로 색인되어 함께 검색할 수 없습니다."
        " `refdesk sync`로 다시 색인해 주세요.",
    },
    "error.embedding_dimension": {
        "en": "The embedder {embedding} now gives {asked} dimensions, but its vectors in the index have {stored}."
        " Choose another embedder, or move the index file away and run `refdesk sync`.",
        "ko": "임베더 {embedding}이(가) 이제 {asked}차원을 내지만 색인에 있는 벡터는 {stored}차원입니다."
        " 다른 임베더를 고르거나 색인 파일을 다른 곳으로 옮긴 뒤 `refdesk sync`를 실행해 주세요.",
    },
    "error.embedding_unknown": {
        "en": "This Refdesk knows no embedder {embedding}. Run `refdesk sync` to index those documents anew.",
        "ko": "이 Refdesk에는 {embedding}이라는 임베더가 없습니다. `refdesk sync`로 그 문서들을 다시 색인해 주세요.",
    },
    "error.index_key": {
        "en": 'Pinecone has no key. Set PINECONE_API_KEY, or write vectors = "embedded" under [index].',
        "ko": 'Pinecone에 쓸 키가 없습니다. PINECONE_API_KEY를 설정하거나 [index]에 vectors = "embedded"를 쓰세요.',
    },
    "error.index_extra": {
        "en": 'Pinecone needs a package that is not installed: pip install "refdesk[pinecone]".',
        "ko": 'Pinecone에 필요한 패키지가 없습니다. 설치해 주세요: pip install "refdesk[pinecone]".',
    },
    "error.index_mismatch": {
        "en": "The Pinecone index {index} is of another kind ({found}); {wanted} dimensions and {metric} are needed."
        " Write another name under [index], or delete that index.",
        "ko": "Pinecone 인덱스 {index}의 종류가 다릅니다({found}). {wanted}차원, {metric} 인덱스가 필요합니다."
        " [index]의 name을 바꾸거나 그 인덱스를 지워 주세요.",
    },
    "error.index_key_refused": {
        "en": "Pinecone refused the request. An admin should check PINECONE_API_KEY and what the plan allows.",
        "ko": "Pinecone이 요청을 거부했습니다. 관리자가 PINECONE_API_KEY와 요금제를 확인해야 합니다.",
    },
    "error.index_quota": {
        "en": "Pinecone's quota is used up. An admin should raise the plan's limit.",
        "ko": "Pinecone 사용 한도를 다 썼습니다. 관리자가 요금제 한도를 올려야 합니다.",
    },
    "error.index_busy": {
        "en": "Pinecone is busy. Please try again in a minute.",
        "ko": "Pinecone 요청이 몰려 있습니다. 잠시 뒤 다시 시도해 주세요.",
    },
    "error.index_gone": {
        "en": "The Pinecone index is gone. An admin should run `refdesk sync` to build it anew.",
        "ko": "Pinecone 인덱스가 없어졌습니다. 관리자가 `refdesk sync`로 다시 만들어야 합니다.",
    },
    "error.index_down": {
        "en": "Pinecone can't be reached. Please try again later; an admin can check host under [index].",
        "ko": "Pinecone에 연결할 수 없습니다. 나중에 다시 시도하거나 [index]의 host를 확인해 주세요.",
    },
    "error.index_timeout": {
        "en": "Pinecone took longer than {seconds} s. Please try again.",
        "ko": "Pinecone이 {seconds}초를 넘겼습니다. 다시 시도해 주세요.",
    },
    "error.index_answer": {
        "en": "Pinecone gave an answer that can't be used. Please try again later.",
        "ko": "Pinecone이 쓸 수 없는 답을 보냈습니다. 나중에 다시 시도해 주세요.",
    },
    "error.index_unsettled": {
        "en": "What was written to Pinecone is not visible after {seconds} s, so nothing was published."
        " Run `refdesk sync` again.",
        "ko": "Pinecone에 쓴 내용이 {seconds}초가 지나도 보이지 않아 공개하지 않았습니다."
        " `refdesk sync`를 다시 실행해 주세요.",
    },
    "error.index_lost": {
        "en": "{count} vectors are no longer in Pinecone. Run `refdesk sync` again to make them anew.",
        "ko": "벡터 {count}개가 Pinecone에 없습니다. `refdesk sync`를 다시 실행해 만들어 주세요.",
    },
    "error.source": {
        "en": "The source {source} can't be read: {what}.",
        "ko": "원본 {source}을(를) 읽을 수 없습니다: {what}.",
    },
    "error.folder_missing": {
        "en": "The folder {path} doesn't exist or isn't a folder. Check the path in refdesk.toml or after --docs.",
        "ko": "{path} 폴더가 없거나 폴더가 아닙니다. refdesk.toml이나 --docs의 경로를 확인해 주세요.",
    },
    "error.folder_empty": {
        "en": "The folder {path} holds no document that is wanted ({include}). Add documents or change `include`."
        " Nothing was removed; `refdesk index --forget NAME` deletes a collection that refdesk.toml names no more.",
        "ko": "{path} 폴더에 읽을 문서가 없습니다({include}). 문서를 넣거나 `include`를 바꿔 주세요."
        " 지운 것은 없습니다. refdesk.toml에서 뺀 문서 모음은 `refdesk index --forget 이름`으로 지웁니다.",
    },
    "error.folder_permission": {
        "en": "There is no permission to read the folder {path}. Give read access to the user that runs Refdesk.",
        "ko": "{path} 폴더를 읽을 권한이 없습니다. Refdesk를 실행하는 사용자에게 읽기 권한을 주세요.",
    },
    "error.source_private": {
        "en": "{source} leads to {host}, which is not on the public internet. If that is meant, write "
        'allow_private = ["{host}"] below the `source` of that collection in refdesk.toml.',
        "ko": "{source}의 호스트 {host}은(는) 공개 인터넷 주소가 아닙니다. 의도한 것이라면 refdesk.toml에서 그 "
        '문서 모음의 `source` 아래에 allow_private = ["{host}"]를 적어 주세요.',
    },
    "error.git_missing": {
        "en": "The `git` command is missing, and a collection comes from a repository. Install git 2.37 or newer.",
        "ko": "저장소에서 문서를 가져오려면 `git` 명령이 필요합니다. git 2.37 이상을 설치해 주세요.",
    },
    "error.git_place_missing": {
        "en": "The repository {path} doesn't exist. Check the path after git: in refdesk.toml.",
        "ko": "{path} 저장소가 없습니다. refdesk.toml의 git: 뒤 경로를 확인해 주세요.",
    },
    "error.git_old": {
        "en": "The `git` command here is too old. Install git {version} or newer.",
        "ko": "설치된 `git`이 너무 오래되었습니다. git {version} 이상을 설치해 주세요.",
    },
    "error.git_failed": {
        "en": "The repository {source} can't be read: {what}. Check its address, the branch and the token.",
        "ko": "저장소 {source}을(를) 읽을 수 없습니다: {what}. 주소와 브랜치, 토큰을 확인해 주세요.",
    },
    "error.git_slow": {
        "en": "The repository {source} took longer than {seconds} s. Raise git.max_seconds or try again later.",
        "ko": "저장소 {source} 응답이 {seconds}초를 넘겼습니다. git.max_seconds를 늘리거나 나중에 다시 시도해 주세요.",
    },
    "error.git_large": {
        "en": "The repository {source} is larger than {limit_mb} MB. Raise git.max_mb if it is meant to be.",
        "ko": "저장소 {source}의 크기가 {limit_mb}MB를 넘습니다. 의도한 것이라면 git.max_mb를 늘려 주세요.",
    },
    "error.git_empty": {
        "en": "The repository {source} holds no wanted document below {place}. Check `subfolder` and `include`."
        " Nothing was removed; `refdesk index --forget NAME` deletes a collection that refdesk.toml names no more.",
        "ko": "저장소 {source}의 {place} 아래에 읽을 문서가 없습니다. `subfolder`와 `include`를 확인해 주세요."
        " 지운 것은 없습니다. refdesk.toml에서 뺀 문서 모음은 `refdesk index --forget 이름`으로 지웁니다.",
    },
    "error.git_repository": {
        "en": "{source} has no origin on a web host, so {{repository}} in `link` can't be filled in. Write the"
        " repository's name there instead.",
        "ko": "{source}에 웹 호스트를 가리키는 origin이 없어 `link`의 {{repository}}를 채울 수 없습니다. 그 자리에"
        " 저장소 이름을 직접 적어 주세요.",
    },
    "error.site_failed": {
        "en": "The website {source} can't be read: {what}. Check the address, or try again later.",
        "ko": "웹사이트 {source}을(를) 읽을 수 없습니다: {what}. 주소를 확인하거나 나중에 다시 시도해 주세요.",
    },
    "error.site_moved": {
        "en": "The website {source} sends its readers to {target}. Write that address as the source if it is the one.",
        "ko": "웹사이트 {source}은(는) {target}(으)로 이동합니다. 맞는 주소라면 그 주소를 source에 적어 주세요.",
    },
    "error.site_robots": {
        "en": "The robots.txt of {source} asks not to be read by Refdesk. Ask its owner to allow the robot “refdesk”.",
        "ko": "{source}의 robots.txt가 읽기를 허용하지 않습니다. 소유자에게 로봇 “refdesk”를 허용해 달라고 해 주세요.",
    },
    "error.site_empty": {
        "en": "The website {source} holds no page that is wanted. Check the address, `include` and `exclude`."
        " Nothing was removed; `refdesk index --forget NAME` deletes a collection that refdesk.toml names no more.",
        "ko": "웹사이트 {source}에 읽을 페이지가 없습니다. 주소와 `include`, `exclude`를 확인해 주세요."
        " 지운 것은 없습니다. refdesk.toml에서 뺀 문서 모음은 `refdesk index --forget 이름`으로 지웁니다.",
    },
    "error.discord_token": {
        "en": "Discord does not accept the bot's token. Set {name} in the environment to the token of the bot's page.",
        "ko": "Discord가 봇 토큰을 받아들이지 않습니다. 봇 페이지의 토큰을 환경 변수 {name}에 설정해 주세요.",
    },
    "error.discord_content": {
        "en": "Discord gives this application messages without their words. Switch on “Message Content Intent” on "
        "the bot's page.",
        "ko": "Discord가 이 애플리케이션에 메시지 내용을 주지 않습니다. 봇 페이지에서 “Message Content Intent”를 켜 "
        "주세요.",
    },
    "error.discord_unseen": {
        "en": "The bot can't see any of the Discord channels {source}. Invite it to their server and give it View "
        "Channel and Read Message History there.",
        "ko": "봇이 Discord 채널 {source}을(를) 하나도 볼 수 없습니다. 서버에 초대하고 채널 보기와 메시지 기록 보기 "
        "권한을 주세요.",
    },
    "error.discord_failed": {
        "en": "Discord did not answer as expected ({what}). Try again later.",
        "ko": "Discord 응답이 올바르지 않습니다({what}). 나중에 다시 시도해 주세요.",
    },
    "error.jsonl_missing": {
        "en": "The file {path} doesn't exist or can't be read. Check the path after jsonl: in refdesk.toml.",
        "ko": "{path} 파일이 없거나 읽을 수 없습니다. refdesk.toml의 jsonl: 뒤 경로를 확인해 주세요.",
    },
    "error.jsonl_empty": {
        "en": "No line of {path} is a document ({what}). Each line is a JSON object with at least a `text`."
        " Nothing was removed; `refdesk index --forget NAME` deletes a collection that refdesk.toml names no more.",
        "ko": "{path}에 문서인 줄이 없습니다({what}). 줄마다 `text`가 있는 JSON 객체 하나를 써 주세요."
        " 지운 것은 없습니다. refdesk.toml에서 뺀 문서 모음은 `refdesk index --forget 이름`으로 지웁니다.",
    },
    "error.slack_token_missing": {
        "en": "{name} is not set in the environment. It is the app's bot token, which begins with xoxb-.",
        "ko": "{name} 환경 변수가 없습니다. xoxb-로 시작하는 앱의 봇 토큰을 넣어 주세요.",
    },
    "error.slack_token": {
        "en": "Slack does not accept the bot token ({what}). Install the app in the workspace and copy its token anew.",
        "ko": "Slack이 봇 토큰을 받지 않습니다({what}). 앱을 워크스페이스에 설치하고 토큰을 다시 복사해 주세요.",
    },
    "error.slack_channels": {
        "en": "None of the Slack channels could be read ({channels}). Invite the app to them: /invite @Refdesk.",
        "ko": "Slack 채널을 하나도 읽지 못했습니다({channels}). 채널에서 /invite @Refdesk로 앱을 초대해 주세요.",
    },
    "error.slack_failed": {
        "en": "Slack can't be read right now: {what}. Try again later.",
        "ko": "지금은 Slack을 읽을 수 없습니다: {what}. 나중에 다시 시도해 주세요.",
    },
    "error.access": {
        "en": "You don't have permission for that here.",
        "ko": "여기서 그 작업을 할 권한이 없습니다.",
    },
    "error.collection_here": {
        "en": "There is no collection {name} here; there are: {known}.",
        "ko": "여기에는 {name}(이)라는 문서 모음이 없습니다. 있는 것: {known}.",
    },
    "error.channel_id": {
        "en": "{channel} is not a channel's id; write it as platform/workspace/channel, for example slack/T01/C42.",
        "ko": "{channel}은(는) 채널 ID가 아닙니다. slack/T01/C42처럼 플랫폼/워크스페이스/채널로 써 주세요.",
    },
    "error.channel_missing": {
        "en": "Say for which channel, by its id: refdesk channel slack/T01/C42 ….",
        "ko": "어느 채널인지 ID로 알려 주세요: refdesk channel slack/T01/C42 ….",
    },
    "error.mode": {
        "en": "{mode} is no mode; there are: {known}.",
        "ko": "{mode}(이)라는 방식은 없습니다. 있는 것: {known}.",
    },
    "error.hint_form": {
        "en": "A hint is written NAME=TEXT, for example “handbook=Leave and expenses”; “handbook=” alone takes it back."
        " Nothing was changed.",
        "ko": "힌트는 이름=글로 써 주세요. 예: “handbook=휴가와 경비”. “handbook=”만 쓰면 힌트를 없앱니다."
        " 바뀐 것은 없습니다.",
    },
    "error.hint_long": {
        "en": "The hint is {length} characters long; at most {limit} are kept. Please shorten it.",
        "ko": "힌트가 {length}자입니다. 최대 {limit}자까지 쓸 수 있으니 줄여 주세요.",
    },
    "error.no_longer_readable": {
        "en": "While I was answering, what may be read here changed, so this answer can't be shown. Please ask again.",
        "ko": "답하는 동안 여기서 볼 수 있는 문서가 바뀌어 이 답을 보여 드릴 수 없습니다. 다시 물어봐 주세요.",
    },
    "error.busy": {
        "en": "I'm busy with other questions right now. Please try again in a moment.",
        "ko": "지금 다른 질문을 처리하고 있습니다. 잠시 뒤 다시 시도해 주세요.",
    },
    "error.sync_running": {
        "en": "{collection} is being indexed by another process right now. Try again when it has finished.",
        "ko": "다른 프로세스가 지금 {collection}을(를) 색인하고 있습니다. 끝난 뒤 다시 시도해 주세요.",
    },
    "error.job_unknown": {
        "en": "There is no job {id}. `refdesk jobs` lists the latest.",
        "ko": "{id}번 작업이 없습니다. `refdesk jobs`로 최근 작업을 볼 수 있습니다.",
    },
    "error.job_crashed": {
        "en": "The sync of {collection} broke off {attempts} times. An admin can look up id {error_id} in the log.",
        "ko": "{collection} 동기화가 {attempts}번 끊겼습니다. 관리자가 로그에서 번호 {error_id}를 확인할 수 있습니다.",
    },
    "error.job_cancelled": {
        "en": "The sync of {collection} was cancelled. What was read so far is kept for the next one.",
        "ko": "{collection} 동기화가 취소되었습니다. 지금까지 읽은 것은 다음 동기화에 쓰입니다.",
    },
    "error.budget": {
        "en": "This question needed more model calls than one question may make. Please ask for less at once.",
        "ko": "질문 하나에 쓸 수 있는 모델 호출 수를 모두 썼습니다. 질문을 나누어 다시 물어봐 주세요.",
    },
    "error.model_key": {
        "en": "The model service at {host} refused the key. An admin should check the API key and what it may do.",
        "ko": "{host} 모델 서비스가 키를 거부했습니다. 관리자가 API 키와 권한을 확인해야 합니다.",
    },
    "error.model_missing": {
        "en": "The model service doesn't know {model}. An admin should check the model's name and base_url.",
        "ko": "모델 서비스에 {model}이(가) 없습니다. 관리자가 모델 이름과 base_url을 확인해야 합니다.",
    },
    "error.model_quota": {
        "en": "The model account's quota is used up. An admin should check its plan and billing.",
        "ko": "모델 계정의 사용 한도를 다 썼습니다. 관리자가 요금제와 결제를 확인해야 합니다.",
    },
    "error.model_busy": {
        "en": "The model service has too many requests right now. Please try again in a minute.",
        "ko": "모델 서비스에 요청이 몰려 있습니다. 잠시 뒤 다시 시도해 주세요.",
    },
    "error.model_down": {
        "en": "The model service has a problem of its own. Please try again later; id {error_id}.",
        "ko": "모델 서비스에 장애가 있습니다. 나중에 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.model_unreachable": {
        "en": "The model service at {host} can't be reached. Try again; an admin can check that it runs, and base_url.",
        "ko": "{host} 모델 서비스에 연결할 수 없습니다. 다시 시도하거나, 관리자가 서비스와 base_url을 확인해 주세요.",
    },
    "error.model_slow": {
        "en": "The model service at {host} took too long. Please try again; an admin can raise the timeout.",
        "ko": "{host} 모델 서비스의 응답이 너무 늦습니다. 다시 시도해 주세요. 관리자는 제한 시간을 늘릴 수 있습니다.",
    },
    "error.model_broken": {
        "en": "The connection to the model broke in the middle of its answer. Please try again; id {error_id}.",
        "ko": "모델이 답하는 도중에 연결이 끊겼습니다. 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.model_request": {
        "en": "{model} doesn't accept this kind of request. An admin can look up id {error_id} in the log.",
        "ko": "{model} 모델이 이런 요청을 받지 않습니다. 관리자가 로그에서 번호 {error_id}를 확인할 수 있습니다.",
    },
    "error.model_long": {
        "en": "That is more text than the model can read at once. Ask about less, or start a new thread.",
        "ko": "모델이 한 번에 읽을 수 있는 양을 넘었습니다. 질문을 줄이거나 새 대화를 시작해 주세요.",
    },
    "error.model_declined": {
        "en": "The model declined to answer this. Please word the question differently.",
        "ko": "모델이 답변을 거절했습니다. 질문을 다르게 적어 주세요.",
    },
    "error.model_empty": {
        "en": "The model gave no answer. Please try again.",
        "ko": "모델이 답을 내놓지 않았습니다. 다시 시도해 주세요.",
    },
    "error.model_cut": {
        "en": "The model's answer was cut off at its length limit. Please ask for less at once.",
        "ko": "모델의 답이 길이 한도에서 잘렸습니다. 질문을 나누어 물어봐 주세요.",
    },
    "error.model_unusable": {
        "en": "The model didn't answer in the form it was asked for. Please try again, or choose another model.",
        "ko": "모델이 요청한 형식으로 답하지 않았습니다. 다시 시도해 주세요. 관리자는 다른 모델을 고를 수 있습니다.",
    },
    "error.model_answer": {
        "en": "What answered isn't a model service, or it is broken. An admin should check base_url.",
        "ko": "모델 서비스의 응답이 아니거나 서비스가 고장 났습니다. 관리자가 base_url을 확인해야 합니다.",
    },
    "error.model_dimension": {
        "en": "{model} gives {found} numbers a text and not {wanted}. An admin should write"
        " `models.dimension = {found}` in refdesk.toml.",
        "ko": "{model} 모델의 차원은 {wanted}이(가) 아니라 {found}입니다. 관리자가 refdesk.toml에"
        " `models.dimension = {found}`을(를) 써야 합니다.",
    },
    "error.upstream": {
        "en": "A service I depend on failed. Please try again; id {error_id}.",
        "ko": "의존하는 서비스에 문제가 있습니다. 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.timeout": {
        "en": "A service I depend on took too long. Please try again; id {error_id}.",
        "ko": "의존하는 서비스의 응답이 너무 늦습니다. 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.refused": {
        "en": "A service I depend on refused the request. An admin can look up id {error_id} in the log.",
        "ko": "의존하는 서비스가 요청을 거절했습니다. 관리자가 로그에서 번호 {error_id}를 확인할 수 있습니다.",
    },
    # a document that can't be read
    "parse.broken": {
        "en": "the file is broken or not what its name says",
        "ko": "파일이 손상되었거나 이름과 형식이 다릅니다",
    },
    "parse.scanned": {
        "en": "the PDF has no text layer (scanned?); run it through OCR",
        "ko": "PDF에 글자 층이 없습니다(스캔본?). OCR을 거쳐 주세요",
    },
    "parse.garbled": {
        "en": "the text layer is garbled; export the PDF again or run it through OCR",
        "ko": "글자 층이 깨져 있습니다. PDF를 다시 내보내거나 OCR을 거쳐 주세요",
    },
    "parse.password": {"en": "it is protected by a password", "ko": "암호로 보호되어 있습니다"},
    "parse.too_large": {
        "en": "it is larger than the limit of {limit_mb} MB",
        "ko": "크기 한도 {limit_mb}MB를 넘습니다",
    },
    "parse.empty": {"en": "it holds no text", "ko": "내용이 비어 있습니다"},
    "parse.unsupported": {"en": "files of this kind are not read", "ko": "지원하지 않는 형식입니다"},
    "parse.convert": {
        "en": "files of this kind are not read; save it as PDF or DOCX beside it",
        "ko": "이 형식은 읽지 못합니다. PDF나 DOCX로 저장해 함께 두세요",
    },
    "parse.unreadable": {
        "en": "it can't be opened; check the permissions",
        "ko": "열 수 없습니다. 읽기 권한을 확인해 주세요",
    },
    "parse.gone": {"en": "it disappeared while it was being read", "ko": "읽는 동안 없어졌습니다"},
    "parse.name": {
        "en": "its name is not valid UTF-8; rename it",
        "ko": "파일 이름이 UTF-8이 아닙니다. 이름을 바꿔 주세요",
    },
    "parse.name_twice": {
        "en": "another file has the same name in another Unicode form; rename one",
        "ko": "유니코드 형식만 다른 같은 이름의 파일이 있습니다. 하나의 이름을 바꿔 주세요",
    },
    "parse.lfs": {
        "en": "it is kept in Git LFS, which is not fetched",
        "ko": "Git LFS에 보관된 파일은 가져오지 않습니다",
    },
    "parse.line": {"en": "the line can't be used ({detail})", "ko": "쓸 수 없는 줄입니다({detail})"},
    "parse.line_open": {
        "en": "line {number} of {document} can't be used ({detail}), so removed lines stay until it is mended",
        "ko": "{document}의 {number}번째 줄을 쓸 수 없어({detail}) 고칠 때까지 삭제된 줄이 그대로 남습니다",
    },
    "parse.page_failed": {
        "en": "the site did not give the page ({detail})",
        "ko": "사이트가 페이지를 주지 않았습니다({detail})",
    },
    "parse.page_private": {
        "en": "it leads to a machine that is not on the public internet ({detail})",
        "ko": "공개 인터넷에 있지 않은 주소로 이어집니다({detail})",
    },
    "parse.slack_failed": {
        "en": "Slack did not give it ({detail})",
        "ko": "Slack에서 받지 못했습니다({detail})",
    },
    "parse.slack_outside": {
        "en": "the app is not in the channel; invite it there: /invite @Refdesk",
        "ko": "앱이 채널에 없습니다. 채널에서 /invite @Refdesk로 초대해 주세요",
    },
    "parse.slack_unknown": {
        "en": "there is no such channel that the app can see; nothing of it is kept",
        "ko": "앱이 볼 수 있는 채널이 아닙니다. 그 채널의 문서는 남기지 않습니다",
    },
    "parse.slack_direct": {
        "en": "direct messages are never read",
        "ko": "개인 메시지는 읽지 않습니다",
    },
    "parse.slack_closed": {
        "en": "it is private or shared with another organisation, so nothing of it is kept; if it is meant, name it "
        "under allow_closed and restrict who may read the collection",
        "ko": "비공개이거나 다른 조직과 함께 쓰는 채널이어서 문서를 남기지 않습니다. 의도한 것이라면 allow_closed에 "
        "적고 컬렉션을 볼 수 있는 사람을 제한해 주세요",
    },
    "parse.note_threads_limit": {
        "en": "more threads than max_threads allows; {detail} were left out, answered ones first taken",
        "ko": "스레드가 max_threads보다 많아 {detail}개를 뺐습니다. 답변된 스레드를 먼저 담습니다",
    },
    "parse.timeout": {"en": "reading it took too long", "ko": "읽는 데 너무 오래 걸립니다"},
    "parse.memory": {
        "en": "reading it takes more than {limit_mb} MB of memory",
        "ko": "읽는 데 메모리 {limit_mb}MB로는 모자랍니다",
    },
    "parse.long": {
        "en": "its text is longer than the limit of {limit_mb} MB",
        "ko": "본문이 한도 {limit_mb}MB보다 깁니다",
    },
    "parse.bomb": {
        "en": "it swells beyond all measure when it is opened ({detail})",
        "ko": "열면 지나치게 부풀어 오르는 파일입니다({detail})",
    },
    "parse.crashed": {
        "en": "the process that read it broke down over it",
        "ko": "읽던 프로세스가 이 파일에서 멈췄습니다",
    },
    "parse.no_reader": {
        "en": "no process could be started to read it; see the log",
        "ko": "읽을 프로세스를 시작하지 못했습니다. 로그를 확인해 주세요",
    },
    "parse.encoding": {"en": "its character encoding can't be told", "ko": "문자 인코딩을 알 수 없습니다"},
    "parse.thread_failed": {
        "en": "the thread could not be read ({detail})",
        "ko": "스레드를 읽지 못했습니다({detail})",
    },
    "parse.discord_unseen": {
        "en": "the bot can't read this channel; give it View Channel and Read Message History there",
        "ko": "봇이 이 채널을 읽을 수 없습니다. 채널 보기와 메시지 기록 보기 권한을 주세요",
    },
    "parse.discord_gone": {
        "en": "there is no such channel any more; take it out of the source",
        "ko": "이 채널은 더 이상 없습니다. source에서 빼 주세요",
    },
    "parse.discord_kind": {
        "en": "it is neither a text channel nor a forum",
        "ko": "텍스트 채널도 포럼도 아닙니다",
    },
    "parse.discord_closed": {
        "en": "not everybody on its server may read it, so nothing of it is kept; if it is meant, name its id under "
        "allow_closed and restrict who may read the collection",
        "ko": "서버의 모두가 읽을 수 있는 채널이 아니어서 문서를 남기지 않습니다. 의도한 것이라면 allow_closed에 ID를 "
        "적고 컬렉션을 볼 수 있는 사람을 제한해 주세요",
    },
    "parse.discord_failed": {
        "en": "Discord did not say what threads there are ({detail})",
        "ko": "Discord가 스레드 목록을 주지 않았습니다({detail})",
    },
    # a document that was read, with something to say about it
    "parse.note_unknown": {
        "en": "there is something to be said of it; sync it again to read what",
        "ko": "확인할 내용이 있습니다. 다시 동기화하면 볼 수 있습니다",
    },
    "parse.note_pages_empty": {
        "en": "pages without a text layer were left out: {detail}",
        "ko": "글자 층이 없는 쪽은 빠졌습니다: {detail}",
    },
    "parse.note_pages_garbled": {
        "en": "pages with a garbled text layer were left out: {detail}",
        "ko": "글자 층이 깨진 쪽은 빠졌습니다: {detail}",
    },
    "parse.note_encoding": {
        "en": "read as {detail}; save it as UTF-8 if letters look wrong",
        "ko": "{detail}(으)로 읽었습니다. 글자가 이상하면 UTF-8로 저장해 주세요",
    },
    "parse.note_pages_limit": {
        "en": "more pages than max_pages allows; only {detail} were read",
        "ko": "max_pages보다 페이지가 많아 {detail}개만 읽었습니다",
    },
    "parse.note_time_limit": {
        "en": "not all pages could be looked at within {detail} minutes (max_minutes)",
        "ko": "{detail}분(max_minutes) 안에 모든 페이지를 확인하지 못했습니다",
    },
    "parse.note_threads_time": {
        "en": "not all threads could be looked at within {detail} minutes (max_minutes)",
        "ko": "{detail}분(max_minutes) 안에 모든 스레드를 확인하지 못했습니다",
    },
    "parse.note_size_limit": {
        "en": "not all pages could be looked at within {detail} MB (max_mb)",
        "ko": "{detail}MB(max_mb) 안에 모든 페이지를 확인하지 못했습니다",
    },
    "parse.note_sitemap": {
        "en": "a sitemap could not be read ({detail})",
        "ko": "사이트맵을 읽지 못했습니다({detail})",
    },
    "parse.note_passages_limit": {
        "en": "very long: only its first {detail} passages were taken in (max_passages under [ingest])",
        "ko": "문서가 매우 길어 처음 구절 {detail}개만 담았습니다([ingest]의 max_passages)",
    },
    "parse.note_cut": {"en": "only the first {detail} rows were read", "ko": "처음 {detail}행만 읽었습니다"},
    # answers: what stands above, in or under the text of a reply
    "answer.not_found": {
        "en": "I couldn't find this in {collections}. The nearest page is {title}.",
        "ko": "{collections}에서 답을 찾지 못했습니다. 가장 가까운 문서는 {title}입니다.",
    },
    "answer.not_found_at_all": {
        "en": "I couldn't find this in {collections}.",
        "ko": "{collections}에서 답을 찾지 못했습니다.",
    },
    "answer.none_of_period": {
        "en": "I couldn't find a document of {period} on this in {collections}. The nearest is {title} of {date}.",
        "ko": "{collections}에 {period}에 해당하는 문서가 없습니다. 가장 가까운 문서는 {date} 자 {title}입니다.",
    },
    "answer.nothing_indexed": {
        "en": "There are no documents that I may read for you here yet. An admin can add a collection.",
        "ko": "여기서 읽을 수 있는 문서가 아직 없습니다. 관리자가 문서 모음을 추가할 수 있습니다.",
    },
    "answer.closest": {
        "en": "I'm not sure this answers it; the closest passages are:",
        "ko": "정확한 답인지 확실하지 않습니다. 가장 가까운 내용은 다음과 같습니다.",
    },
    "answer.as_written": {
        "en": "The document says, in its own language:",
        "ko": "문서 원문에는 다음과 같이 적혀 있습니다.",
    },
    "answer.no_document_of": {
        "en": "I have no document of {period} on this. The nearest is {title} of {date}, which says:",
        "ko": "{period}에 해당하는 문서는 없습니다. 가장 가까운 문서는 {date} 자 {title}이며, 내용은 다음과 같습니다.",
    },
    "answer.limits": {
        "en": "Answers are quoted from the documents; set a model for written answers.",
        "ko": "답은 문서에서 그대로 인용한 것입니다. 문장으로 쓴 답을 원하면 모델을 설정해 주세요.",
    },
    "answer.supported": {
        "en": "Supported by its sources: {count}.",
        "ko": "뒷받침하는 출처: {count}개.",
    },
    "answer.unchecked": {
        "en": "Not checked against its sources.",
        "ko": "출처와 대조하지 않은 답입니다.",
    },
    "answer.closest_only": {
        "en": "Closest passages only; they may not answer the question.",
        "ko": "가장 가까운 내용일 뿐이며 질문의 답이 아닐 수 있습니다.",
    },
    "answer.clarify_open": {
        "en": "What is your question about? Please name the subject, and I'll look it up.",
        "ko": "무엇에 관한 질문인가요? 대상을 알려 주시면 찾아보겠습니다.",
    },
    "answer.web": {"en": "the web", "ko": "웹"},
    "answer.web_down": {
        "en": "This would have to be looked up on the web, which can't be searched right now. Please try again later.",
        "ko": "이 질문은 웹에서 찾아야 하는데 지금은 웹을 검색할 수 없습니다. 나중에 다시 시도해 주세요.",
    },
    # lines under an answer
    "note.stopped": {
        "en": "The time or the number of tries for one question ran out; this is the best so far.",
        "ko": "한 질문에 쓸 수 있는 시간이나 횟수를 다 써서 지금까지의 최선을 보여 드립니다.",
    },
    "note.stopped_by_you": {
        "en": "Stopped; this is what there was by then.",
        "ko": "중단했습니다. 그때까지의 내용입니다.",
    },
    "note.files_unread": {
        "en": "I can't read files here, so these were not looked at: {files}",
        "ko": "여기서는 파일을 읽을 수 없어 다음은 보지 않았습니다: {files}",
    },
    "note.failed": {
        "en": "A service I depend on failed before this was finished; it is the best so far.",
        "ko": "답을 마치기 전에 의존하는 서비스에 문제가 생겨 지금까지의 최선을 보여 드립니다.",
    },
    "note.by_words": {
        "en": "Searched by words alone: {collections}, indexed with an embedder that can't be used now."
        " `refdesk sync` rebuilds the index.",
        "ko": "낱말로만 검색한 곳: {collections}. 색인할 때 쓴 임베더를 지금 쓸 수 없습니다."
        " `refdesk sync`로 색인을 다시 만들 수 있습니다.",
    },
    "note.quoted": {
        "en": "The model could not write an answer just now; this is quoted from the documents.",
        "ko": "지금은 모델이 답을 쓸 수 없어 문서를 그대로 인용했습니다.",
    },
    "note.unfounded": {
        "en": "I found no passage that supports this; please check it before you rely on it.",
        "ko": "이 답을 뒷받침하는 문서 구절을 찾지 못했습니다. 쓰기 전에 꼭 확인해 주세요.",
    },
    "note.web_failed": {
        "en": "The web could not be searched, so this rests on the documents alone.",
        "ko": "웹을 검색할 수 없어 문서만을 바탕으로 답했습니다.",
    },
    "note.dated": {
        "en": "This rests on a document of {date}.",
        "ko": "{date} 자 문서를 바탕으로 한 답입니다.",
    },
    # footnotes
    "footnote.page": {"en": "p. {page}", "ko": "{page}쪽"},
    "footnote.web": {"en": "From the web:", "ko": "웹에서:"},
    "footnote.nearest": {"en": "Nearest documents:", "ko": "가까운 문서:"},
    # Slack, and what else is said in a channel
    "slack.help": {
        "en": "Ask me something, for example “@Refdesk how long is parental leave?” I answer from the team's own"
        " documents, in a thread, with footnotes; follow-ups there need no mention. `/refdesk help` lists the"
        " commands.",
        "ko": "질문을 적어 주세요. 예: “@Refdesk 육아휴직은 얼마나 쓸 수 있나요?” 팀의 문서에서 찾아 스레드에"
        " 각주와 함께 답하고, 그 스레드에서는 부르지 않아도 이어서 답합니다. `/refdesk help`로 명령을 볼 수 있습니다.",
    },
    # the Slack app's manifest
    "manifest.description": {
        "en": "Answers from your team's own documents, with footnotes you can check",
        "ko": "팀의 문서에서 찾아 각주와 함께 답합니다",
    },
    "manifest.agent": {
        "en": "Ask about your team's documents. Each answer comes with footnotes; what they don't hold is said to be"
        " not found.",
        "ko": "팀의 문서에 대해 물어보세요. 답에는 각주가 붙고, 문서에 없는 것은 찾지 못했다고 말합니다.",
    },
    "manifest.command": {
        "en": "Ask privately, bring the index up to date, see what is known",
        "ko": "혼자 물어보기, 색인 갱신, 아는 문서 보기",
    },
    "manifest.shortcut_named": {"en": "Ask {name} about this", "ko": "{name}에게 물어보기"},
    "manifest.shortcut": {"en": "Ask about this", "ko": "이 메시지 물어보기"},
    "manifest.shortcut_about": {
        "en": "An answer to this message, in its thread",
        "ko": "이 메시지에 스레드에서 답합니다",
    },
    # why the Slack app asks for a permission
    "scope.mentions": {"en": "hear that somebody names it", "ko": "부르는 것을 듣기"},
    "scope.threads": {
        "en": "hear follow-ups without a mention, and read the thread around a question, in public channels",
        "ko": "공개 채널에서 부르지 않은 이어지는 질문을 듣고 질문이 있는 스레드 읽기",
    },
    "scope.rooms": {
        "en": "know whether a channel is public, private or shared with another organisation",
        "ko": "채널이 공개인지, 비공개인지, 다른 조직과 공유되는지 알기",
    },
    "scope.writing": {
        "en": "post answers, let them grow, show that it is at work",
        "ko": "답을 올리고, 이어 쓰고, 일하는 중임을 보이기",
    },
    "scope.commands": {
        "en": "the slash command, and “Ask about this” on messages",
        "ko": "슬래시 명령과 메시지의 “물어보기”",
    },
    "scope.direct": {"en": "hear questions in direct messages", "ko": "DM의 질문 듣기"},
    "scope.direct_rooms": {"en": "know a direct message from a channel", "ko": "DM과 채널을 구별하기"},
    "scope.direct_opening": {
        "en": "send a private answer as a direct message when the command's own address has run out",
        "ko": "명령에 답할 수 있는 시간이 지나면 비공개 답을 DM으로 보내기",
    },
    "scope.people": {
        "en": "write names instead of ids; know guests and workspace admins",
        "ko": "ID 대신 이름 쓰기, 게스트와 워크스페이스 관리자 알기",
    },
    "scope.private_threads": {"en": "the same in private channels", "ko": "비공개 채널에서도 똑같이 하기"},
    "scope.private_rooms": {"en": "the same of private channels", "ko": "비공개 채널에 대해서도 알기"},
    "scope.group_threads": {"en": "the same in group messages", "ko": "그룹 메시지에서도 똑같이 하기"},
    "scope.group_rooms": {"en": "the same of group messages", "ko": "그룹 메시지에 대해서도 알기"},
    "scope.groups": {
        "en": "let user groups read collections and be admins",
        "ko": "사용자 그룹에 문서 모음을 보이거나 관리자 권한을 주기",
    },
    "scope.agent": {
        "en": "Slack's agent view: status lines, titles, suggested prompts",
        "ko": "Slack 에이전트 화면: 상태 표시, 제목, 추천 질문",
    },
    "help.how": {
        "en": "Ask me in a channel by naming me, or in a direct message; I answer from the team's own documents, in a"
        " thread, with footnotes. Follow-ups in that thread need no mention.",
        "ko": "채널에서 저를 부르거나 DM으로 물어보세요. 팀의 문서에서 찾아 스레드에 각주와 함께 답합니다."
        " 그 스레드에서는 부르지 않아도 이어서 답합니다.",
    },
    "help.commands": {
        "en": "- `{command} ask …` asks privately\n- `{command} collections` lists what I know\n"
        "- `{command} quiet` keeps me quiet in your last thread here, `quiet off` ends that\n"
        "- `{command} forget` deletes what you asked in it, `forget me` all that you ever asked\n"
        "- for owners and admins: `{command} reindex [collection|all]`, `jobs`, `cancel ID`, `router`\n"
        "- for admins: `{command} status`, and `{command} channel [mode mention|thread|auto] [default a,b]"
        " [show|hide|unset a] [hint a: …]`",
        "ko": "- `{command} 질문 …` 나만 보는 답\n- `{command} 문서` 물어볼 수 있는 문서 모음\n"
        "- `{command} 조용히` 내가 여기서 마지막으로 물은 스레드에서 조용히, `조용히 해제`로 되돌리기\n"
        "- `{command} 잊기` 그 스레드에서 내가 물은 것 삭제, `잊기 나` 내가 물은 것 모두 삭제\n"
        "- 담당자와 관리자: `{command} 재색인 [문서 모음|전체]`, `작업`, `취소 ID`, `라우터`\n"
        "- 관리자: `{command} 상태`, `{command} 채널 [방식 mention|thread|auto] [기본 a,b]"
        " [보이기|숨기기|해제 a] [힌트 a: …]`",
    },
    "collections.line": {
        "en": "**{name}**{title}: {documents} documents",
        "ko": "**{name}**{title}: 문서 {documents}개",
    },
    "collections.fresh": {"en": "as of {when}", "ko": "{when} 기준"},
    "collections.unread": {"en": "- **{name}**: not read yet", "ko": "- **{name}**: 아직 읽지 않음"},
    "collections.none": {
        "en": "There are no documents here that you may read.",
        "ko": "여기에는 볼 수 있는 문서가 없습니다.",
    },
    "reindex.begun": {
        "en": "Reading {collections} anew: waiting for its turn…",
        "ko": "다시 읽기: {collections}. 차례를 기다리는 중…",
    },
    # Discord
    "error.discord_gone": {
        "en": "The channel or thread is not there any more.",
        "ko": "채널이나 스레드가 더 이상 없습니다.",
    },
    "error.discord_permission": {
        "en": "I may not write there. Somebody who manages the server can give me Send Messages (in Threads) there.",
        "ko": "그곳에 글을 쓸 권한이 없습니다. 서버 관리자가 메시지 보내기(스레드 포함) 권한을 줄 수 있습니다.",
    },
    "error.discord_closed": {
        "en": "The thread was closed, and I may not open it again.",
        "ko": "스레드가 닫혔고, 제가 다시 열 수 없습니다.",
    },
    "error.discord_no_direct": {
        "en": "I can't write you direct messages. Allow them for this server in its privacy settings.",
        "ko": "DM을 보낼 수 없습니다. 서버의 개인정보 설정에서 DM을 허용해 주세요.",
    },
    "error.discord_refused": {
        "en": "Discord refused that ({code}, id {error_id}).",
        "ko": "Discord가 거절했습니다({code}, 번호 {error_id}).",
    },
    "error.discord_signed_out": {
        "en": "Discord does not accept the bot's token any more. An admin has to set a new one.",
        "ko": "Discord가 봇 토큰을 더 이상 받지 않습니다. 관리자가 새 토큰을 설정해야 합니다.",
    },
    "error.discord_down": {
        "en": "Discord can't be reached at the moment (id {error_id}).",
        "ko": "지금은 Discord에 연결할 수 없습니다(번호 {error_id}).",
    },
    "error.discord_place": {
        "en": "I can't answer in this kind of channel. Ask in a text channel, a thread or a direct message.",
        "ko": "이런 채널에서는 답할 수 없습니다. 텍스트 채널이나 스레드, DM에서 물어봐 주세요.",
    },
    "error.discord_intent": {
        "en": "Discord does not let this bot read messages that don't name it. Switch on “Message Content Intent” on"
        " the bot's page, or write message_content = false under [discord].",
        "ko": "이 봇은 자신을 부르지 않은 메시지를 읽을 수 없습니다. 봇 페이지에서 “Message Content Intent”를 켜거나"
        " [discord]에 message_content = false를 쓰세요.",
    },
    "discord.help": {
        "en": "Ask me something, for example “@Refdesk how long is parental leave?” I answer from the team's own"
        " documents, in a thread, with footnotes. `/ask` asks so that only you see the answer.",
        "ko": "질문을 적어 주세요. 예: “@Refdesk 육아휴직은 얼마나 쓸 수 있나요?” 팀의 문서에서 찾아 스레드에 각주와"
        " 함께 답합니다. `/ask`로 물으면 답을 혼자만 볼 수 있습니다.",
    },
    "discord.help_named": {
        "en": "Here I read only what names me, replies to me, or is written to me directly: name me in follow-ups too.",
        "ko": "저를 부르거나 제게 답장하거나 DM으로 보낸 글만 읽을 수 있습니다. 이어서 물을 때도 저를 불러 주세요.",
    },
    "discord.commands": {
        "en": "`/ask`, `/collections` (what I know of here), `/quiet` (in a thread), `/forget` (what you asked); in a"
        " message's menu under Apps: “Ask Refdesk about this”.",
        "ko": "`/ask`(질문), `/collections`(여기서 찾을 수 있는 문서), `/quiet`(스레드에서 조용히), `/forget`(물어본 것"
        " 잊기), 메시지 메뉴의 앱: “Ask Refdesk about this”.",
    },
    "permission.bot": {"en": "be on the server", "ko": "서버에 들어오기"},
    "permission.commands": {"en": "offer `/ask` and the other commands", "ko": "`/ask` 등 명령 제공하기"},
    "permission.view": {"en": "see the channels where it is asked", "ko": "질문을 받는 채널 보기"},
    "permission.history": {
        "en": "read the thread or post that a question is about",
        "ko": "질문과 관련된 스레드나 게시물 읽기",
    },
    "permission.send": {
        "en": "answer in a channel where no thread can be opened",
        "ko": "스레드를 열 수 없는 채널에서 답하기",
    },
    "permission.threads": {"en": "open a thread on a question", "ko": "질문에 스레드 열기"},
    "permission.in_threads": {"en": "answer in threads and forum posts", "ko": "스레드와 포럼 게시물에서 답하기"},
    "permission.embeds": {
        "en": "show sources apart from the answer (without it they are text)",
        "ko": "출처를 답과 따로 보여 주기(없으면 글로 표시)",
    },
    "discord.welcome": {
        "en": "Thank you for having me on **{guild}**. I answer questions from your own documents, with the sources.\n"
        "- **Ask:** mention {us} in a channel, write to me here, or use `/ask` (only you see the answer).\n"
        "- **Next, for admins:** `/collections` shows what one may ask about there, `/channel` sets what is searched in"
        " a channel and when I speak up; where Refdesk runs, `refdesk check` says which permissions I lack. With a list"
        " `guilds` under [discord], this server is one of yours once {id} stands in it.",
        "ko": "**{guild}** 서버에 초대해 주셔서 감사합니다. 팀의 문서에서 찾아 출처와 함께 답합니다.\n"
        "- **질문:** 채널에서 {us}을(를) 부르거나 여기에 쓰거나 `/ask`를 쓰세요(답은 혼자만 봅니다).\n"
        "- **관리자의 다음 할 일:** `/collections`로 그곳에서 물어볼 수 있는 문서를 보고, `/channel`로 채널마다"
        " 찾을 곳과 답할 때를 정하세요. 없는 권한은 Refdesk를 실행하는 곳에서 `refdesk check`로 확인합니다."
        " [discord]에 `guilds` 목록이 있으면 {id}을(를) 넣어야 이 서버가 우리 서버가 됩니다.",
    },
    "discord.thread": {"en": "Question", "ko": "질문"},
    "discord.asks": {"en": "**{name}** asks: {question}", "ko": "**{name}** 님의 질문: {question}"},
    "discord.elsewhere": {
        "en": "I couldn't answer your question where you asked it. {why}",
        "ko": "질문하신 곳에 답을 남기지 못했습니다. {why}",
    },
    "reindex.here": {
        "en": "Asked for. How it goes is told in this channel.",
        "ko": "요청했습니다. 진행 상황은 이 채널에 알려 드립니다.",
    },
    "reindex.direct": {
        "en": "Asked for. How it goes is told in your direct messages with me.",
        "ko": "요청했습니다. 진행 상황은 DM으로 알려 드립니다.",
    },
    "reindex.which": {"en": "Which collection shall be read anew?", "ko": "어느 문서 모음을 다시 읽을까요?"},
    "reindex.choose": {"en": "Choose a collection", "ko": "문서 모음 선택"},
    "reindex.all": {"en": "All of them", "ko": "모두"},
    "reindex.more": {
        "en": "{count} more can be named: {command} reindex NAME",
        "ko": "목록에 없는 {count}개는 이름으로 지정해 주세요: {command} reindex 이름",
    },
    "activity.received": {"en": "Thumbs up: {up}, down: {down}", "ko": "좋은 답변 {up}, 아쉬운 답변 {down}"},
    "thread.quiet": {
        "en": "I'll be quiet in this thread. Name me to ask again.",
        "ko": "이 스레드에서는 조용히 있겠습니다. 저를 부르시면 다시 답합니다.",
    },
    "thread.loud": {
        "en": "I'll answer follow-ups in this thread again.",
        "ko": "이 스레드에서 다시 이어서 답하겠습니다.",
    },
    "thread.quiet_about": {
        "en": "I'll be quiet in the thread about “{question}”. Name me there to ask again.",
        "ko": "“{question}” 스레드에서는 조용히 있겠습니다. 그곳에서 저를 부르시면 다시 답합니다.",
    },
    "thread.loud_about": {
        "en": "I'll answer follow-ups in the thread about “{question}” again.",
        "ko": "“{question}” 스레드에서 다시 이어서 답하겠습니다.",
    },
    "thread.forgotten": {
        "en": "Forgotten: what you asked in the conversation about “{question}” (questions: {count}). Messages that"
        " stand in a channel stay there until they are deleted.",
        "ko": "“{question}” 대화에서 물은 것을 지웠습니다(질문 {count}개)."
        " 채널에 남아 있는 메시지는 직접 삭제해야 없어집니다.",
    },
    "thread.forgotten_me": {
        "en": "Forgotten: everything you asked in this workspace (questions: {count}). Messages that stand in a channel"
        " stay there until they are deleted.",
        "ko": "이 워크스페이스에서 물은 것을 모두 지웠습니다(질문 {count}개)."
        " 채널에 남아 있는 메시지는 직접 삭제해야 없어집니다.",
    },
    "human.call": {
        "en": "{who}: can you help here? Somebody wants to know it from a person.",
        "ko": "{who} 도와주실 수 있나요? 사람에게 확인하고 싶다고 합니다.",
    },
    "human.ask": {"en": "You can ask: {who}", "ko": "물어볼 수 있는 분: {who}"},
    "feedback.title": {"en": "What was wrong?", "ko": "무엇이 아쉬웠나요?"},
    "feedback.label": {"en": "What was wrong with it?", "ko": "어떤 점이 잘못되었나요?"},
    "feedback.correct": {
        "en": "What is right? It is kept as a document, and cited.",
        "ko": "올바른 내용은 무엇인가요? 문서로 보관하고 출처로 씁니다.",
    },
    "feedback.question": {
        "en": "The question it answers, as everybody may read it",
        "ko": "이 내용이 답이 되는 질문(모두가 볼 수 있게 적어 주세요)",
    },
    "feedback.thanks": {"en": "Thank you, that is noted.", "ko": "감사합니다. 기록했습니다."},
    "feedback.corrected": {
        "en": "Thank you. The correction is kept; it can be found in a moment.",
        "ko": "감사합니다. 정정한 내용을 보관했고, 곧 찾을 수 있습니다.",
    },
    "share.done": {"en": "Shared with the channel.", "ko": "채널에 공유했습니다."},
    "share.direct": {
        "en": "The answer stands in your direct messages with me; go on there.",
        "ko": "답변을 DM에 올렸습니다. 그곳에서 이어서 물어보세요.",
    },
    "stop.done": {"en": "Stopping.", "ko": "중단합니다."},
    "stop.late": {"en": "It had ended already.", "ko": "이미 끝났습니다."},
    "form.why": {"en": "Why this answer?", "ko": "왜 이 답인가요?"},
    "form.source": {"en": "Source", "ko": "출처"},
    "form.ask": {"en": "Ask privately", "ko": "나만 보이게 질문"},
    "form.question": {"en": "Your question", "ko": "질문"},
    "form.send": {"en": "Send", "ko": "보내기"},
    "form.close": {"en": "Close", "ko": "닫기"},
    "home.title": {"en": "What I know", "ko": "제가 아는 것"},
    "home.how": {"en": "How to ask", "ko": "물어보는 방법"},
    "home.recent": {"en": "What you asked", "ko": "최근 질문"},
    "home.nothing": {"en": "Nothing yet.", "ko": "아직 없습니다."},
    "home.health": {"en": "How things stand", "ko": "운영 상태"},
    "home.failed": {"en": "no answer", "ko": "답변 없음"},
    "home.unreadable": {"en": "not readable any more", "ko": "더 이상 볼 수 없음"},
    "prompts.title": {"en": "Ask, for example:", "ko": "예를 들면:"},
    # buttons under an answer
    "button.up": {"en": "Good answer", "ko": "좋은 답변"},
    "button.down": {"en": "Not right", "ko": "아쉬운 답변"},
    "button.why": {"en": "Why this answer?", "ko": "왜 이 답인가요?"},
    "button.human": {"en": "Ask a human", "ko": "사람에게 묻기"},
    "button.quiet": {"en": "Quiet here", "ko": "여기서는 조용히"},
    "button.share": {"en": "Share with the channel", "ko": "채널에 공유"},
    "button.direct": {"en": "Continue in a DM", "ko": "DM으로 계속"},
    "button.stop": {"en": "Stop", "ko": "중단"},
    # status lines while a question is being answered
    "status.heard": {"en": "On it…", "ko": "확인하는 중…"},
    "status.queued": {
        "en": "Noted; it is next, after what I'm answering now…",
        "ko": "질문을 받았습니다. 지금 답하는 질문 다음에 답하겠습니다…",
    },
    "status.withdrawn": {"en": "The question was withdrawn.", "ko": "질문이 취소되었습니다."},
    "status.planning": {"en": "Understanding the question…", "ko": "질문을 이해하는 중…"},
    "status.searching": {"en": "Searching {collections}…", "ko": "{collections}에서 찾는 중…"},
    "status.web": {"en": "Searching the web…", "ko": "웹에서 찾는 중…"},
    "status.reading": {"en": "Reading what was found…", "ko": "찾은 내용을 읽는 중…"},
    "status.rewriting": {"en": "Searching again in other words…", "ko": "다른 말로 다시 찾는 중…"},
    "status.writing": {"en": "Writing…", "ko": "답을 쓰는 중…"},
    "status.checking": {"en": "Checking against the sources…", "ko": "출처와 대조하는 중…"},
    # direct replies: nothing is searched for these
    "direct.greeting": {
        "en": "Hello! Ask me anything about {collections}.",
        "ko": "안녕하세요! {collections}에 대해 무엇이든 물어보세요.",
    },
    "direct.greeting_bare": {
        "en": "Hello! There are no documents for me to search here yet.",
        "ko": "안녕하세요! 아직 여기서 찾아볼 문서가 없습니다.",
    },
    "direct.thanks": {
        "en": "You're welcome. Ask again whenever you like.",
        "ko": "천만에요. 언제든 다시 물어보세요.",
    },
    "direct.goodbye": {"en": "Goodbye!", "ko": "안녕히 가세요!"},
    "direct.smalltalk": {
        "en": "I only know what stands in the documents. Ask me about {collections}.",
        "ko": "저는 문서에 있는 내용만 알고 있습니다. {collections}에 대해 물어보세요.",
    },
    "direct.smalltalk_bare": {
        "en": "I only know what stands in the documents, and there are none here yet.",
        "ko": "저는 문서에 있는 내용만 아는데, 여기에는 아직 문서가 없습니다.",
    },
    "direct.capabilities": {
        "en": "I answer questions from these documents, with footnotes you can check: {collections}.",
        "ko": "다음 문서에서 답을 찾아 확인할 수 있는 각주와 함께 알려 드립니다: {collections}.",
    },
    "direct.capabilities_bare": {
        "en": "I answer questions from your documents, with footnotes you can check. There are none here yet.",
        "ko": "문서에서 답을 찾아 확인할 수 있는 각주와 함께 알려 드립니다. 여기에는 아직 문서가 없습니다.",
    },
    "direct.samples": {"en": "For example:", "ko": "예를 들면:"},
    # syncing
    "sync.phase.list": {"en": "listing", "ko": "목록 확인"},
    "sync.phase.documents": {"en": "reading", "ko": "읽는 중"},
    "sync.phase.passages": {"en": "embedding passages", "ko": "구절 임베딩"},
    "sync.phase.cards": {"en": "making Cards", "ko": "카드 생성"},
    "sync.phase.test": {"en": "testing the router", "ko": "라우터 점검"},
    "sync.phase.publish": {"en": "publishing", "ko": "반영"},
    "sync.phase.clean": {"en": "cleaning up", "ko": "정리"},
    "sync.going": {"en": "{collection}: {what}", "ko": "{collection}: {what}"},
    "sync.not_indexed": {
        "en": "{collection} is not indexed yet: {reason}",
        "ko": "{collection}은(는) 아직 색인되지 않았습니다: {reason}",
    },
    "sync.not_refreshed": {
        "en": "{collection} could not be brought up to date, what was indexed before serves: {reason}",
        "ko": "{collection}을(를) 최신 상태로 만들지 못해 이전에 색인한 내용으로 답합니다: {reason}",
    },
    "sync.report": {
        "en": "{collection}: {added} added, {changed} changed, {removed} removed, {unchanged} unchanged, "
        "{failed} not read; {passages} passages, {seconds} s",
        "ko": "{collection}: 추가 {added}, 변경 {changed}, 삭제 {removed}, 그대로 {unchanged}, "
        "읽지 못함 {failed}; 구절 {passages}개, {seconds}초",
    },
    "sync.problem": {
        "en": "  {document} was not read: {reason}.",
        "ko": "  {document} 파일을 읽지 못했습니다: {reason}.",
    },
    "sync.remark": {"en": "  {document}: {reason}.", "ko": "  {document}: {reason}."},
    "sync.line": {"en": "  {reason}.", "ko": "  {reason}."},
    "sync.unsupported": {
        "en": "  {count} files of kinds that are not read were left out: {kinds}.",
        "ko": "  지원하지 않는 형식의 파일 {count}개는 읽지 않았습니다: {kinds}.",
    },
    "sync.convert": {
        "en": "  {count} files of kinds that are not read were left out: {kinds}."
        " Save documents as PDF or DOCX beside them.",
        "ko": "  지원하지 않는 형식의 파일 {count}개는 읽지 않았습니다: {kinds}."
        " 문서는 PDF나 DOCX로 저장해 함께 두세요.",
    },
    "sync.more": {
        "en": "  … and {count} more; `refdesk check` lists them all.",
        "ko": "  … 외 {count}건; `refdesk check`로 모두 볼 수 있습니다.",
    },
    "sync.prompt_changed": {
        "en": "  The router prompt has changed with it; `refdesk router --diff` shows how.",
        "ko": "  라우터 프롬프트도 함께 바뀌었습니다. `refdesk router --diff`로 볼 수 있습니다.",
    },
    "sync.incomplete": {
        "en": "  {collection} could not be listed completely, so nothing was removed from the index.",
        "ko": "  {collection} 목록을 끝까지 확인하지 못해 색인에서 아무것도 지우지 않았습니다.",
    },
    "forget.done": {
        "en": "{name} is deleted: {documents} documents, {versions} versions of documents in the index,"
        " {copies} copies of its source. The next sync makes the other Cards anew.",
        "ko": "{name}을(를) 지웠습니다: 문서 {documents}개, 색인의 문서 버전 {versions}개, 원본 사본 {copies}개."
        " 다음 동기화에서 다른 카드를 새로 만듭니다.",
    },
    # jobs: syncs that were asked for
    "job.line": {
        "en": "{id} {collection}: {status}; asked {when} by {by}",
        "ko": "{id} {collection}: {status}; {when} {by} 요청",
    },
    "job.progress": {"en": "{phase} {done} of {total}", "ko": "{phase} {done}/{total}"},
    "job.status.waiting": {"en": "waiting", "ko": "대기 중"},
    "job.status.running": {"en": "running", "ko": "실행 중"},
    "job.status.interrupted": {"en": "interrupted, to be taken up again", "ko": "중단됨, 다시 이어서 할 예정"},
    "job.status.stopping": {"en": "stopping", "ko": "멈추는 중"},
    "job.status.done": {"en": "done", "ko": "완료"},
    "job.status.failed": {"en": "failed", "ko": "실패"},
    "job.status.cancelled": {"en": "cancelled", "ko": "취소됨"},
    "job.joined": {
        "en": "{collection}: a sync waits already ({id}); it is yours too.",
        "ko": "{collection}: 이미 대기 중인 동기화({id})가 있어 함께 기다립니다.",
    },
    "job.behind": {
        "en": "{collection} is being synced; another sync ({id}) follows, for what has changed since.",
        "ko": "{collection} 동기화가 진행 중입니다. 그 뒤의 변경을 위해 동기화({id})를 한 번 더 합니다.",
    },
    "job.behind_silent": {
        "en": "{collection}: the process that was syncing it gives no sign of life; "
        "it is taken over in about {seconds} s, then sync {id} follows.",
        "ko": "{collection}: 동기화하던 프로세스가 응답하지 않습니다. "
        "약 {seconds}초 뒤 이어받고, 그다음 동기화({id})를 합니다.",
    },
    "job.failing": {
        "en": "{collection}: failed syncs in a row: {count}, the last {when}. {reason}",
        "ko": "{collection}: 연속으로 실패한 동기화 {count}회, 마지막 {when}. {reason}",
    },
    "job.next": {"en": "{collection}: next sync {when}", "ko": "{collection}: 다음 동기화 {when}"},
    "job.none": {"en": "No syncs were asked for yet.", "ko": "아직 요청된 동기화가 없습니다."},
    # what refdesk check says
    "check.config": {
        "en": "Data: {data_dir}; policy {policy}; day {today}",
        "ko": "데이터: {data_dir}; 정책 {policy}; 날짜 {today}",
    },
    "check.models": {
        "en": "Embedder {embedder}, analyzer {analyzer}; no language model: answers are quoted from the documents.",
        "ko": "임베더 {embedder}, 분석기 {analyzer}; 언어 모델 없음: 답은 문서에서 인용합니다.",
    },
    "check.models_asked": {
        "en": "Embedder {embedder}, analyzer {analyzer}; {large} writes, {small} judges, at {where}; steps: {steps}.",
        "ko": "임베더 {embedder}, 분석기 {analyzer}; {where}의 {large}가 쓰고 {small}이 판단합니다. 단계별: {steps}.",
    },
    "check.collection": {
        "en": "{name}: {documents} documents, {passages} passages, published {when}",
        "ko": "{name}: 문서 {documents}개, 구절 {passages}개, {when}에 반영",
    },
    "check.embedding": {
        "en": "Embedding changed from {old} to {new}; collections to rebuild: {count} ({names}). Run `refdesk sync`.",
        "ko": "임베딩이 {old}에서 {new}(으)로 바뀌었습니다: 다시 만들 문서 모음 {count}개({names})."
        " `refdesk sync`를 실행해 주세요.",
    },
    "check.embedding_rebuilding": {
        "en": "Embedding changed from {old} to {new}; collections to rebuild: {count} ({names}).",
        "ko": "임베딩이 {old}에서 {new}(으)로 바뀌었습니다: 다시 만들 문서 모음 {count}개({names}).",
    },
    "check.embedding_serves": {
        "en": "  Until then they answer as before, by {old}.",
        "ko": "  그때까지는 이전처럼 {old}(으)로 답합니다.",
    },
    "check.embedding_words": {
        "en": "  Until then they are searched by words alone, because {old} can't be used: {why}",
        "ko": "  그때까지는 낱말로만 검색합니다. {old}을(를) 쓸 수 없기 때문입니다: {why}",
    },
    "check.analyzer": {
        "en": "Analyzer changed from {old} to {new}: {count} passages are found by their old words"
        " until `refdesk sync` has read them anew.",
        "ko": "분석기가 {old}에서 {new}(으)로 바뀌었습니다: 구절 {count}개는 `refdesk sync`가 다시 읽을 때까지"
        " 이전 낱말로 찾습니다.",
    },
    "check.source_missing": {"en": "{name}: {reason}", "ko": "{name}: {reason}"},
    "check.never_synced": {
        "en": "{name}: never synced; run `refdesk sync`.",
        "ko": "{name}: 아직 동기화하지 않았습니다. `refdesk sync`를 실행해 주세요.",
    },
    "check.stray": {
        "en": "{name} is in the index but not in refdesk.toml; `refdesk index --forget {name}` deletes it.",
        "ko": "{name}은(는) 색인에 있지만 refdesk.toml에 없습니다. `refdesk index --forget {name}`로 지울 수 있습니다.",
    },
    "check.web": {
        "en": "Web search: not configured.",
        "ko": "웹 검색: 설정되지 않음.",
    },
    "check.web_closed": {
        "en": "Web search: off until allow_domains, or allow_any = true, is written under [web].",
        "ko": "웹 검색: [web]에 allow_domains나 allow_any = true를 쓸 때까지 꺼져 있음.",
    },
    "check.web_on": {
        "en": "Web search: {provider}, on {domains} and what lies below.",
        "ko": "웹 검색: {provider}, {domains} 및 하위 도메인.",
    },
    "check.web_any": {
        "en": "Web search: {provider}, on any domain.",
        "ko": "웹 검색: {provider}, 모든 도메인.",
    },
    "check.web_denied": {
        "en": "  never on {domains}",
        "ko": "  제외: {domains}",
    },
    "check.slack_none": {
        "en": "Slack: not configured (SLACK_BOT_TOKEN is not set).",
        "ko": "Slack: 설정되지 않음(SLACK_BOT_TOKEN 없음).",
    },
    "check.slack_off": {"en": 'Slack: switched off (mode = "off").', "ko": 'Slack: 꺼져 있음(mode = "off").'},
    "check.slack_socket": {
        "en": "Slack: {team}, as @{bot}, by Socket Mode.",
        "ko": "Slack: {team}, @{bot}, Socket Mode.",
    },
    "check.slack_http": {
        "en": "Slack: {team}, as @{bot}, over HTTP on {host}:{port} (whether the signing secret is right, only a"
        " request of Slack's can show).",
        "ko": "Slack: {team}, @{bot}, HTTP {host}:{port}(서명 비밀이 맞는지는 Slack의 요청이 와야 알 수 있습니다).",
    },
    "check.slack_several": {
        "en": "Slack: workspaces install the app at {url}/slack/install; allowed: {teams}.",
        "ko": "Slack: 워크스페이스가 {url}/slack/install에서 앱을 설치합니다. 허용: {teams}.",
    },
    "check.slack_scopes": {
        "en": "  all {count} permissions (scopes) are there",
        "ko": "  필요한 권한(scope) {count}개가 모두 있음",
    },
    "check.slack_scope_missing": {
        "en": "  missing permission {scope}: {why}",
        "ko": "  없는 권한 {scope}: {why}",
    },
    "check.slack_scope_remedy": {
        "en": "  Paste what `refdesk slack manifest` prints at {page} and install the app again, or leave features out"
        " (`features` under [slack]).",
        "ko": "  `refdesk slack manifest`가 출력한 것을 {page}에 붙여 넣고 앱을 다시 설치하거나,"
        " [slack]의 `features`에서 기능을 빼세요.",
    },
    "check.slack_events": {
        "en": "  Which events are sent Slack does not tell; they have to be those of `refdesk slack manifest`: {page}",
        "ko": "  어떤 이벤트를 보내는지는 Slack이 알려 주지 않습니다."
        " `refdesk slack manifest`의 것과 같아야 합니다: {page}",
    },
    "check.discord_none": {
        "en": "Discord: not configured ({name} is not set).",
        "ko": "Discord: 설정되지 않음({name} 없음).",
    },
    "check.discord_off": {"en": 'Discord: switched off (mode = "off").', "ko": 'Discord: 꺼져 있음(mode = "off").'},
    "check.discord": {"en": "Discord: as @{bot}.", "ko": "Discord: @{bot}."},
    "check.discord_reads": {
        "en": "Discord: @{bot} reads channels for collections ({name}).",
        "ko": "Discord: @{bot}이(가) 컬렉션용 채널을 읽음({name}).",
    },
    "check.discord_intent": {"en": "  Message Content Intent is on", "ko": "  Message Content Intent 켜짐"},
    "check.discord_intent_missing": {
        "en": "  Message Content Intent is off: switch it on at {page}",
        "ko": "  Message Content Intent가 꺼져 있음: {page}에서 켜세요",
    },
    "check.discord_intent_source": {
        "en": "  Without it collections of Discord channels stay empty.",
        "ko": "  꺼져 있으면 Discord 채널의 컬렉션은 비어 있습니다.",
    },
    "check.discord_without": {
        "en": "  With message_content = false under [discord] Refdesk works without it: mentions, replies to it, direct"
        " messages, commands and message menus.",
        "ko": "  [discord]에 message_content = false를 쓰면 없어도 됩니다. 멘션, 답장, DM, 명령, 메시지 메뉴는 그대로"
        " 쓸 수 있습니다.",
    },
    "check.discord_named": {
        "en": "  message_content = false: mentions, replies to it, direct messages, commands and message menus work;"
        " follow-ups without a mention are not heard",
        "ko": "  message_content = false: 멘션, 답장, DM, 명령, 메시지 메뉴만 쓸 수 있고 멘션 없는 후속 질문은 듣지"
        " 못함",
    },
    "check.discord_away": {
        "en": "  the bot is not on the server {guild}",
        "ko": "  봇이 서버 {guild}에 없음",
    },
    "check.discord_unseen": {
        "en": "  channel {channel}: not there, or the bot can't see it (View Channels)",
        "ko": "  채널 {channel}: 없거나 봇이 볼 수 없음(View Channels)",
    },
    "check.discord_missing": {
        "en": "  channel {channel}: missing permission {permission}: {why}",
        "ko": "  채널 {channel}: 없는 권한 {permission}: {why}",
    },
    "check.discord_rooms": {
        "en": "  channels named in the settings: all permissions are there ({count})",
        "ko": "  설정에 적힌 채널: 권한이 모두 있음({count}개)",
    },
    "check.discord_remedy": {
        "en": "  Open the link that `refdesk discord invite` prints, or change the channel's permissions in Discord.",
        "ko": "  `refdesk discord invite`가 출력한 링크를 열거나 Discord에서 채널 권한을 바꾸세요.",
    },
    # how the desk is doing: refdesk status
    "activity.none": {
        "en": "No questions in the last {days} days.",
        "ko": "지난 {days}일 동안 질문이 없었습니다.",
    },
    "activity.turns": {
        "en": "{count} questions in the last {days} days",
        "ko": "지난 {days}일 동안 질문 {count}건",
    },
    "activity.ended": {"en": "  {what}: {count}", "ko": "  {what}: {count}"},
    "activity.ended.supported": {"en": "supported by the sources", "ko": "출처가 뒷받침함"},
    "activity.ended.closest": {"en": "closest passages only", "ko": "가장 가까운 내용만"},
    "activity.ended.unchecked": {"en": "not checked", "ko": "확인하지 않음"},
    "activity.ended.partial": {"en": "cut short by a limit", "ko": "한도에 걸려 중단"},
    "activity.ended.not_found": {"en": "not found", "ko": "찾지 못함"},
    "activity.ended.direct": {"en": "answered without searching", "ko": "찾지 않고 답함"},
    "activity.ended.clarify": {"en": "asked back", "ko": "되물음"},
    "activity.ended.failed": {"en": "failed", "ko": "실패"},
    "activity.ended.kept_quiet": {"en": "kept quiet (nobody had asked us)", "ko": "조용히 있음(부르지 않은 질문)"},
    "activity.ended.withdrawn": {"en": "withdrawn", "ko": "취소됨"},
    "activity.ended.waiting": {"en": "waiting", "ko": "대기 중"},
    "activity.ended.running": {"en": "being answered", "ko": "답하는 중"},
    "activity.costs": {"en": "Paid for models:", "ko": "모델 사용:"},
    "activity.cost": {
        "en": "  {day} {model}: {calls} calls, {cost}",
        "ko": "  {day} {model}: 호출 {calls}번, {cost}",
    },
    "activity.cost_unknown": {"en": "price not set", "ko": "가격이 설정되지 않음"},
    "activity.web": {
        "en": "Corrected from the web: {searched} of {turns} questions put to the documents ({rate} %)",
        "ko": "웹에서 보완: 문서에서 찾은 질문 {turns}건 중 {searched}건({rate} %)",
    },
    "activity.web_collection": {
        "en": "  {name}: {searched} of {turns} ({rate} %)",
        "ko": "  {name}: {turns}건 중 {searched}건({rate} %)",
    },
    "activity.lacking": {
        "en": "{name} lacks material: {rate} % of its questions needed the web. Add documents on what is asked.",
        "ko": "{name}에 자료가 부족합니다. 질문의 {rate} %에 웹 검색이 필요했습니다. 관련 문서를 추가하세요.",
    },
    "check.eager": {
        "en": "The trigger “any” with k = {k} corrects nearly every question; use “verdict”, or k of 4 and less.",
        "ko": "k = {k}에서 trigger “any”는 거의 모든 질문을 다시 찾게 합니다. “verdict”를 쓰거나 k를 4 이하로 하세요.",
    },
    "check.fine": {"en": "Everything is in place.", "ko": "모두 준비되어 있습니다."},
    # what refdesk router prints
    "place.talk": {"en": "small talk", "ko": "잡담"},
    "place.outside": {"en": "out of scope", "ko": "범위 밖 질문"},
    "place.everything": {"en": "all collections", "ko": "모든 문서 모음"},
    "place.web": {"en": "the web", "ko": "웹"},
    "place.clarify": {"en": "a question back", "ko": "되묻기"},
    "place.router": {"en": "the router as a whole", "ko": "라우터 전체"},
    "router.self_test": {"en": "Self-test", "ko": "라우터 점검"},
    "router.tested": {
        "en": "Router self-test: {percent} right ({hits} of {asked} questions)",
        "ko": "라우터 점검: 정답률 {percent} (질문 {asked}개 중 {hits}개)",
    },
    "router.tested_talk": {
        "en": "Router self-test: too few headings to test; small talk {hits} of {asked}",
        "ko": "라우터 점검: 제목이 너무 적어 점검할 수 없음, 잡담은 {asked}개 중 {hits}개",
    },
    "router.tested_at": {
        "en": "{result}, {when}, {planner} planner",
        "ko": "{result}, {when}, {planner} 플래너",
    },
    "router.never_tested": {
        "en": "The router was never tested; the next `refdesk sync` that changes something does it.",
        "ko": "라우터를 아직 점검하지 않았습니다. 바뀐 것이 있는 다음 `refdesk sync` 때 점검합니다.",
    },
    "router.untested": {
        "en": "  The router could not be tested this time; refdesk.log says why.",
        "ko": "  이번에는 라우터를 점검하지 못했습니다. 까닭은 refdesk.log에 있습니다.",
    },
    "router.alarms": {
        "en": "Warnings about the router: {count}; `refdesk router` shows them.",
        "ko": "라우터 경고 {count}건: `refdesk router`에서 볼 수 있습니다.",
    },
    "router.place": {
        "en": "{place}: {percent} ({hits} of {asked}); searched for {searched} of them",
        "ko": "{place}: {percent} ({asked}개 중 {hits}개), 그중 {searched}개는 검색 대상에 듦",
    },
    "router.place_talk": {
        "en": "{place}: {percent} ({hits} of {asked})",
        "ko": "{place}: {percent} ({asked}개 중 {hits}개)",
    },
    "router.place_none": {
        "en": "{place}: too few headings to ask about any",
        "ko": "{place}: 제목이 너무 적어 물어볼 것이 없음",
    },
    "router.few": {"en": "(a small sample, it says little)", "ko": "(표본이 작아 참고만 하세요)"},
    "router.outside": {
        "en": "out of scope: for {percent} no collection was singled out ({hits} of {asked})",
        "ko": "범위 밖 질문: {percent}는 특정 문서 모음으로 보내지 않음 ({asked}개 중 {hits}개)",
    },
    "router.unasked": {
        "en": "{count} questions were left out: no time, or the planner failed on them",
        "ko": "질문 {count}개는 시간이 모자라거나 플래너가 실패해 빠짐",
    },
    "router.confusions": {"en": "Taken for another:", "ko": "잘못 보낸 질문:"},
    "router.confusion": {
        "en": "{asked} → {routed}: {count} ({examples})",
        "ko": "{asked} → {routed}: {count} ({examples})",
    },
    "router.trend": {"en": "Trend: {trend}", "ko": "추이: {trend}"},
    "alarm.low": {
        "en": "Warning: {place} is routed right for only {percent} of its test questions ({hits} of {asked}).",
        "ko": "경고: {place}의 점검 질문 중 {percent}만 제대로 보냈습니다 ({asked}개 중 {hits}개).",
    },
    "alarm.fell": {
        "en": "Warning: {place} is routed right for {percent} of its test questions ({hits} of {asked}), {before}"
        " before.",
        "ko": "경고: {place}의 점검 질문 중 {percent}를 제대로 보냈습니다 ({asked}개 중 {hits}개)."
        " 이전에는 {before}였습니다.",
    },
    "alarm.pair": {
        "en": "{asked} → {routed}: {count}, such as {examples}",
        "ko": "{asked} → {routed}: {count}개, 예: {examples}",
    },
    "alarm.only": {"en": "only {name} has: {terms}", "ko": "{name}에만 있는 말: {terms}"},
    "alarm.remedy": {
        "en": "What helps: a `hint` for {asked} in refdesk.toml that says what only it holds, titles that tell it from"
        " {routed}, or one collection instead of the two.",
        "ko": "이렇게 해 보세요: refdesk.toml에서 {asked}에만 있는 내용을 `hint`로 쓰거나, {routed}와(과) 구별되는"
        " 제목을 붙이거나, 둘을 하나로 합치세요.",
    },
    "alarm.remedy_hint": {
        "en": "What helps: a `hint` for {asked} in refdesk.toml, worded as people ask.",
        "ko": "이렇게 해 보세요: 사람들이 묻는 말로 refdesk.toml에서 {asked}의 `hint`를 쓰세요.",
    },
    "diff.when": {"en": "{line} (published {when})", "ko": "{line} ({when}에 반영)"},
    "diff.new": {"en": "{name}: new, version {after}", "ko": "{name}: 새 카드, 버전 {after}"},
    "diff.none": {
        "en": "{name}: nothing that is shown changed, version {after}",
        "ko": "{name}: 보이는 내용은 그대로, 버전 {after}",
    },
    "diff.changed": {"en": "{name}: version {before} → {after}", "ko": "{name}: 버전 {before} → {after}"},
    "diff.fact": {"en": "{what}: {before} → {now}", "ko": "{what}: {before} → {now}"},
    "diff.title": {"en": "title", "ko": "이름"},
    "diff.hint": {"en": "hint", "ko": "힌트"},
    "diff.documents": {"en": "documents", "ko": "문서"},
    "diff.passages": {"en": "passages", "ko": "구절"},
    "diff.languages": {"en": "languages", "ko": "언어"},
    "diff.dates": {"en": "dates", "ko": "날짜"},
    "diff.terms": {"en": "key terms", "ko": "핵심어"},
    "diff.titles": {"en": "titles", "ko": "문서 제목"},
    "diff.headings": {"en": "headings", "ko": "소제목"},
    "diff.questions": {"en": "questions", "ko": "질문"},
    "router.cards": {"en": "Cards", "ko": "카드"},
    "router.prompt": {"en": "Router prompt ({hash})", "ko": "라우터 프롬프트 ({hash})"},
    # settings of a channel, from chat and at the terminal
    "channel.set": {
        "en": "{channel}: speaks up {mode}; searches {defaults}",
        "ko": "{channel}: {mode} 답함; 찾는 곳 {defaults}",
    },
    "channel.mode.mention": {"en": "when it is mentioned", "ko": "멘션했을 때"},
    "channel.mode.thread": {
        "en": "when it is mentioned, and in its threads",
        "ko": "멘션했을 때와 참여한 스레드에서",
    },
    "channel.mode.auto": {"en": "whenever it is certain", "ko": "확실할 때마다"},
    "channel.mode.unset": {"en": "as configured", "ko": "설정대로"},
    "channel.everything": {"en": "everything that may be read there", "ko": "그곳에서 볼 수 있는 전부"},
    "channel.shown": {"en": "  shown there: {names}", "ko": "  보이는 문서 모음: {names}"},
    "channel.hidden": {"en": "  hidden there: {names}", "ko": "  숨긴 문서 모음: {names}"},
    "channel.hint": {"en": "  hint of {name}: {hint}", "ko": "  {name}의 힌트: {hint}"},
    "channel.change": {"en": "  {at} {by}: {what}", "ko": "  {at} {by}: {what}"},
    "channel.none": {"en": "Nothing is set for any channel.", "ko": "설정된 채널이 없습니다."},
    # the terminal
    "console.welcome": {
        "en": "Ask about {collections}. /help lists the commands; Ctrl-D ends.",
        "ko": "{collections}에 대해 물어보세요. /help로 명령을 볼 수 있고, Ctrl-D로 끝냅니다.",
    },
    "console.thread": {
        "en": "To ask a follow-up: --thread {thread}",
        "ko": "이어서 물어보려면: --thread {thread}",
    },
    "console.demo_instead": {
        "en": "There is no refdesk.toml here, so this asks the bundled handbook.",
        "ko": "여기에 refdesk.toml이 없어 함께 제공되는 예시 문서에서 찾습니다.",
    },
    "console.new_thread": {"en": "A new thread: {thread}", "ko": "새 대화: {thread}"},
    "console.forgotten": {
        "en": "This thread is forgotten; {count} turns were deleted.",
        "ko": "이 대화를 지웠습니다. 질문 {count}개를 삭제했습니다.",
    },
    "console.collection": {
        "en": "{name} ({title}): {documents} documents, {passages} passages; {terms}",
        "ko": "{name}({title}): 문서 {documents}개, 구절 {passages}개; {terms}",
    },
    "console.help": {
        "en": "/new starts another thread · /why explains the last answer · /reindex [NAME …] reads changed documents"
        " · /collections lists what can be asked · /forget deletes this thread · /quit ends",
        "ko": "/new 새 대화 · /why 마지막 답의 이유 · /reindex [이름 …] 바뀐 문서 다시 읽기 · "
        "/collections 물어볼 수 있는 문서 모음 · /forget 이 대화 삭제 · /quit 끝내기",
    },
    # why this answer?
    "why.nothing": {
        "en": "There is no answer to explain yet.",
        "ko": "아직 설명할 답이 없습니다.",
    },
    "why.no_answer": {
        "en": "There is no answer to explain: the question ended in an error (id {error_id}).",
        "ko": "설명할 답이 없습니다. 질문이 오류로 끝났습니다(번호 {error_id}).",
    },
    "why.label.route": {"en": "Route", "ko": "경로"},
    "why.label.question": {"en": "Question as searched", "ko": "찾을 때 쓴 질문"},
    "why.label.parts": {"en": "Searched in parts", "ko": "나누어 찾은 질문"},
    "why.label.period": {"en": "Time asked about", "ko": "물어본 시기"},
    "why.label.passages": {"en": "Passages", "ko": "찾은 내용"},
    "why.label.web": {"en": "Web", "ko": "웹"},
    "why.label.words": {"en": "Searched by words alone", "ko": "낱말로만 찾은 곳"},
    "why.label.again": {"en": "Again", "ko": "다시 한 일"},
    "why.label.ahead": {"en": "Written ahead", "ko": "미리 쓰기"},
    "why.label.resumed": {"en": "Interrupted", "ko": "중단"},
    "why.label.ended": {"en": "Ended early", "ko": "일찍 끝남"},
    "why.label.failed": {"en": "Went wrong", "ko": "문제"},
    "why.label.verdict": {"en": "Verdict", "ko": "판정"},
    "why.label.check": {"en": "Support", "ko": "뒷받침"},
    "why.label.sources": {"en": "Sources", "ko": "출처"},
    "why.label.by": {"en": "Decided by", "ko": "판단한 쪽"},
    "why.label.calls": {"en": "Model calls", "ko": "모델 호출"},
    "why.label.tokens": {"en": "Tokens", "ko": "토큰"},
    "why.label.cost": {"en": "Cost", "ko": "비용"},
    "why.label.time": {"en": "Time", "ko": "걸린 시간"},
    "why.label.prompts": {"en": "Prompts", "ko": "프롬프트"},
    "why.route.direct": {"en": "answered directly, nothing searched", "ko": "찾지 않고 바로 답함"},
    "why.route.collections": {"en": "searched {collections}", "ko": "찾은 곳: {collections}"},
    "why.route.web": {"en": "searched the web", "ko": "웹에서 찾음"},
    "why.route.clarify": {"en": "asked back", "ko": "되물음"},
    "why.unreadable": {"en": "something that may not be read here", "ko": "여기서 볼 수 없는 것"},
    "why.scope.all": {"en": "all that may be read here", "ko": "여기서 볼 수 있는 전부"},
    "why.scope.defaults": {"en": "what is set for this channel", "ko": "이 채널에 정해진 곳"},
    "why.scope.some": {"en": "what fits the question best", "ko": "질문에 가장 맞는 곳"},
    "why.reason.talk": {"en": "small talk", "ko": "인사나 잡담"},
    "why.reason.unresolved": {"en": "it was not clear what it is about", "ko": "무엇에 대한 질문인지 알 수 없었음"},
    "why.reason.world": {"en": "it asks about the world outside the documents", "ko": "문서 밖의 일을 물음"},
    "why.reason.model": {"en": "the model chose it", "ko": "모델이 고름"},
    "why.reason.model_repaired": {
        "en": "the model named a route that does not exist, and the nearest that does was taken",
        "ko": "모델이 없는 경로를 골라 가장 가까운 경로로 바꿈",
    },
    "why.reason.model_unsure": {
        "en": "the model was not sure, so all that may be read was searched",
        "ko": "모델이 확신하지 못해 볼 수 있는 전부에서 찾음",
    },
    "why.reason.planner_failed": {
        "en": "planning failed, so all that may be read was searched",
        "ko": "계획에 실패해 볼 수 있는 전부에서 찾음",
    },
    "why.leaning.answered": {"en": "it answers what was asked back", "ko": "되물은 것에 대한 대답"},
    "why.leaning.choice": {"en": "it chooses among what was named before", "ko": "앞에 나온 것 중에서 고름"},
    "why.leaning.continues": {"en": "it goes on from the question before", "ko": "앞의 질문에서 이어짐"},
    "why.leaning.pronoun": {"en": "it points back to what was said before", "ko": "앞에 나온 것을 가리킴"},
    "why.leaning.short": {"en": "it says too little without the question before", "ko": "앞의 질문 없이는 뜻이 모자람"},
    "why.graded": {
        "en": "{found} found: {correct} answer it, {ambiguous} unsure, {incorrect} left out",
        "ko": "{found}개 찾음: 답이 되는 것 {correct}개, 불확실한 것 {ambiguous}개, 제외한 것 {incorrect}개",
    },
    "why.ungraded": {"en": "{found} found, not graded", "ko": "{found}개 찾음, 평가하지 않음"},
    "why.kept": {"en": "{kept} excerpts kept", "ko": "발췌 {kept}개를 씀"},
    "why.out.off_topic": {"en": "{count} about something else", "ko": "{count}개는 다른 내용"},
    "why.out.stale": {"en": "{count} of another time", "ko": "{count}개는 다른 시기"},
    "why.out.other": {"en": "{count} for another reason", "ko": "{count}개는 다른 이유"},
    "why.web.found": {"en": "searched for “{query}”, {found} passages", "ko": "“{query}” 검색, {found}개 찾음"},
    "why.web.failed": {"en": "searched for “{query}”, which failed", "ko": "“{query}” 검색, 실패함"},
    "why.web.skipped": {"en": "wanted, but none is configured", "ko": "필요했지만 설정되어 있지 않음"},
    "why.again.index": {"en": "searched for “{query}”", "ko": "“{query}” 검색"},
    "why.again.written": {"en": "written again: {count}", "ko": "다시 쓴 횟수: {count}"},
    "why.ahead.used": {
        "en": "begun while the passages were graded, and used",
        "ko": "내용을 평가하는 동안 쓰기 시작해 그대로 씀",
    },
    "why.ahead.dropped": {
        "en": "begun while the passages were graded, and dropped",
        "ko": "내용을 평가하는 동안 쓰기 시작했으나 버림",
    },
    "why.resumed": {"en": "the run was taken up again where it was", "ko": "멈춘 곳에서 다시 이어서 함"},
    "why.ended.deadline": {"en": "the time was up ({step})", "ko": "시간이 다 됨({step})"},
    "why.ended.stopped": {"en": "it was stopped ({step})", "ko": "중단됨({step})"},
    "why.ended.budget": {"en": "no model calls were left ({step})", "ko": "모델 호출 한도를 다 씀({step})"},
    "why.ended.failed": {"en": "the words broke off ({step})", "ko": "글이 중간에 끊김({step})"},
    "why.failed": {
        "en": "{step} failed (id {error_id}), and the run went on without it",
        "ko": "{step}에 실패해(번호 {error_id}) 이 단계 없이 계속함",
    },
    "why.verdict.correct": {"en": "the documents answer it", "ko": "문서에 답이 있음"},
    "why.verdict.ambiguous": {"en": "not sure the documents answer it", "ko": "문서에 답이 있는지 확실하지 않음"},
    "why.verdict.incorrect": {"en": "the documents do not answer it", "ko": "문서에 답이 없음"},
    "why.check.grounded": {"en": "each statement by what it cites", "ko": "각 문장을 인용한 내용이 뒷받침함"},
    "why.check.ungrounded": {"en": "not each statement by what it cites", "ko": "뒷받침되지 않는 문장이 있음"},
    "why.check.unhelpful": {"en": "the question is not fully answered", "ko": "질문에 다 답하지 못함"},
    "why.check.missing": {"en": "missing: {missing}", "ko": "빠진 것: {missing}"},
    "why.step.plan": {"en": "plan", "ko": "계획"},
    "why.step.retrieve": {"en": "search", "ko": "찾기"},
    "why.step.grade": {"en": "grading", "ko": "평가"},
    "why.step.refine": {"en": "excerpts", "ko": "발췌"},
    "why.step.rewrite": {"en": "rewording", "ko": "바꿔 쓰기"},
    "why.step.search": {"en": "web", "ko": "웹 검색"},
    "why.step.generate": {"en": "writing", "ko": "쓰기"},
    "why.step.check": {"en": "check", "ko": "확인"},
    "why.step.other": {"en": "the rest", "ko": "나머지"},
    "why.by.local": {"en": "{step} local", "ko": "{step} 로컬"},
    "why.by.model": {"en": "{step} model", "ko": "{step} 모델"},
    "why.by.both": {"en": "{step} local ×{local}, model ×{model}", "ko": "{step} 로컬 {local}번, 모델 {model}번"},
    "why.by.instead": {
        "en": "{step} local, as the model could not say",
        "ko": "{step} 모델이 답하지 못해 로컬",
    },
    "why.calls.none": {"en": "none, every step was local", "ko": "없음, 모든 단계가 로컬"},
    "why.calls.lost": {"en": "{lost} without an answer", "ko": "{lost}번은 답을 받지 못함"},
    "why.tokens": {
        "en": "{input} in ({cached} of them cached), {output} out",
        "ko": "입력 {input}(캐시 {cached}), 출력 {output}",
    },
    "why.cost.known": {"en": "${cost}", "ko": "${cost}"},
    "why.cost.least": {
        "en": "at least ${cost} ({unpriced} calls without a known price)",
        "ko": "최소 ${cost}(가격을 모르는 호출 {unpriced}번)",
    },
    "why.cost.unknown": {"en": "unknown, no price is set for {models}", "ko": "알 수 없음, {models}의 가격이 없음"},
}


def say(key: str, language: Language, **fields: object) -> str:
    """The sentence for `key` in `language`, filled with `fields`.

    Raises KeyError for an unknown key: that is a bug, and a test finds it.
    """
    return SENTENCES[key][language].format(**fields)


def without_fixed(text: str) -> str:
    """An answer without the lines that are our own sentences, in either language: what a writer claims."""
    own = [
        _pattern(sentence) for key, each in SENTENCES.items() if key.startswith("answer.") for sentence in each.values()
    ]
    return "\n".join(line for line in text.split("\n") if not any(each.fullmatch(line.strip()) for each in own))


def _pattern(sentence: str) -> re.Pattern[str]:
    """The sentence with anything in the place of its fields."""
    return re.compile(".+".join(re.escape(part) for part in re.split(r"\{\w+\}", sentence)))
